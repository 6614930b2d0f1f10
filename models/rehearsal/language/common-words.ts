/**
 * Words that are right as they stand. Spelling is only mended towards words that the prompt, the
 * world or the rules know, and never away from one of these.
 */
export const COMMON_WORDS: readonly string[] =
  `a able about above across actually add added adding adds advice after afternoon again against ago ahead all allow allowed allergic allergy almost
alone along alright also although always am among an and another any anybody anymore anyone anything anyway anywhere apart are around
as ask asked asking at ate away awesome back bad bag bags bar bars based basic be because been before begin beginning behind being
best better between big bit book booked bored both bottle bottles bought box bread break breakfast bring brilliant brought build built bunch bunches but buy
buying by call called came can cannot cancel care case change changed check cheers chop choose chore chores clean clear cleared clove cloves close code cold come
coming common compose contain containing contains content contents cook cooked cooking cool could count couple course cover create created
crumbled cup cups cut daily date dates day days deal decide decided decent definitely delete deleted delicious described describe design did different
dinner dinners dish dishes ditch do does doing done double down dozen draft drafted drafts drink drop due during each earlier early
easier easy eat eaten eating eats eight either eleven else empty emptied end enjoy enough entire entry equal erase especially even evening ever
every everybody everyone everything exact exactly example except exclude excluded exist expect extra fact fair family fan fancy far fast
faster favourite fed feel feeling few fewer fifth fifteen fill fillet final finally find fine finish finished first five fix flour
follow food for forget forgot forgotten form four fourth fresh friend friends from front full fun further game games gave general generate get
getting gimme give given gives giving glad go goes going gone good got gotten grab gram grams great group guess guest guests had half hand happen
happy hard has hate have having he healthy hear heat help helping her here hey hi high him his hit hold home hope hot hour hours
house household how however hundred i idea ideas if ignore important in inch include included including ingredient ingredients inside inspiration instead
instruction instructions interested into invent is it item items its jar jars job join just keen keep keeping kept kid kids kilo kilos kind kitchen knew know
known large last late lately later least leave left leftover leftovers less let letter light like liked likes line lines link list listed lists litre litres little live
local long longer look looked looking looks lose lot lots love low lunch lunches made main make makes making many mark
marked matter may maybe me meal meals mean means meant menu mess met mid might milk mind mine minus minute minutes missing mistake
mix moment month months mood more morning most move moved much must my name named near need needed needs neither never new news next nice night nine no nobody none
nope nor not note nothing now number object of off offer often oh ok okay old on once one ones only oops open opinion option options or order organise
organize other others our ours out over own pack packs pan part parts party pass past people per perfect perhaps person pick picked picks piece pieces
place plan planned planner planning plans plate play please plenty plus point portion portions possible prefer prep prepare prepared probably problem propose put
puts question quick quicker quickly quite ran rather reach read reading ready real really reason recall recipe recipes recommend reconsider record
redo regular remember remind remove removed repeat replace rest restore result retry return right room round rule rules run said same save saved saves saving saw say says
schedule scheduled scrap scratch second see seem seen selection send sense serve serves serving servings set seven seventh several shall she shop shopping short should
show shown shows side simple simply since sit six sixth size skip slice slices slot slots small snack so some somebody somehow someone something sometime sometimes somewhere soon sorry sort sound
sounds spare speak spicier spicy spoon start started state stay stays step steps stick still stock stop store stored straight stuff style such sugar suggest suggestion suggestions supper sure swap sweet system table take
taken takeaway takeout takes taking talk task tasks taste tasty tell ten test than thank thanks that the their them then there these they thing things
think third this those though thought three through throw till time times tin tins tired to today together told tomorrow tonight too took top topped topping
total tried trip true try trying turn turns twelve twenty twice two type under understand undo unless until up update upon us use used useful
uses using usual usually value vegan vegetarian very via wait walk want wanted wants warm was wash waste water way ways we week weekday weekdays weekend weekends weeks weight welcome well
went were what whatever when where whether which while who whole whom why wife will wine wipe wish with within without wonder wonderful wondering word words
work works world worry would wow write writing wrong wrote year years yep yes yesterday yet you your yours yourself zero
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
already allowing anyway bother chance correct correctly crave craving dear diet dirty discard dozens ease exists favor feels figure fits followed freeze frozen grocery groceries
guys habit heavy hungry husband kick lack latest lazy leaving lovely lunchtime mate mentioned midweek mum noon normal notice odd opposite partner pause perfectly plain pleased polite
pretty purpose quarter reckon refill regarding rid roast search separate serious shape shelf slow spend sprinkle starting stir stocked strange strict sudden suit surely surprise tad
tend therefore tight tiny title topic touch toward trash treat truly twist unsure urgent veggie version whenever wherever worse worth yum deal erase glad gone keen earliest sooner
bean beans brand burn butter candy cheap cheese chicken chunk classic cloud color colour copy corner craft cream crisp crop curd dance dark dash dough drain dress dried drive dry dust
fat fed fish flat floor fold foot fork fried fruit fry grate green grill ground grow hall ham handy herb herbs honey ice jam juice jump lamb lead leaf lemon lid lime liquid loaf loud meat melt
milk mince mint mustard noodle noodles nut nuts oil onion orange oven pasta paste peel pepper pinch pizza plum pork pot potato pour pull push rare raw red rice rich ripe roll rub salad salt sauce
sausage school seed shake sheet shell sheets sign sink skin sour soup spice spring steak steam stew stretch strip strong taco tail tall tart tender thick thin toast tofu tomato tray tuna vanilla
veg vegetable vegetables wash wheat whip wide wild window wing wrap yellow young takeaways bored veto minus nix nope yup nah alternative alternatives somewhere shoot skip bite bowl brunch
cancelled fully happen happened hurry issue missing mixed nearly neat nicely opened otherwise paid print problem promise proper properly quit reply reset reverse revert shut silly smart split
stuff summary switch thinking tomorrows towards trouble unlike useful variety wanting weekly whatsoever wishes writes yours hate hates lend loan loans lent borrow borrowed stuck kit kits rent torn owner shelf play plays played playing player players`.split(
    /\s+/,
  );
