/** Stands where something of the machinery was left out. */
const LEFT_OUT = "…";

/** Each begins at a word's edge, so that a long text is read once. */
const HIDDEN: readonly RegExp[] = [
  // Addresses, with what follows them up to white space or a closing mark.
  /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]”’»]+/giu,
  // Paths within JSON.
  /(?<![\p{L}\p{N}_])\$(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[(?:\d+|\*|"[^"\]]*"|'[^'\]]*')\])+/gu,
  /(?<![\p{L}\p{N}_.\]])[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*(?:\[\d+\])+(?:\.[\p{L}_][\p{L}\p{N}_]*|\[\d+\])*/gu,
  // Ids of the database.
  /(?<![\p{L}\p{N}])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{N}])/giu,
  // Hosts and ports: addresses in numbers, the machine itself, names with a domain, names with a port.
  /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}.-])localhost(?::\d{1,5})?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}_.@-])[a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)*\.[a-z]{2,}(?::\d{1,5})?(?:\/[^\s"'<>)\]”’»]*)?(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}_.-])[a-z][a-z0-9-]*:\d{2,5}(?![\p{L}\p{N}:])/gu,
  /(?<![\p{L}\p{N}])port \d{2,5}(?![\p{L}\p{N}])/giu,
  // Variables of the environment and codes of errors.
  /(?<![\p{L}\p{N}_])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}])(?:http|status)(?: status)?(?: code)? \d{3}(?![\p{L}\p{N}])/giu,
  // Refs.
  /(?<![\p{L}\p{N}_])[a-z]+(?:_[a-z]+)*_\d+(?![\p{L}\p{N}_])/gu,
];

/** Names that the program uses, as in `use_by`. */
const IDENTIFIER = /(?<![\p{L}\p{N}_])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\p{L}\p{N}_])/gu;

/** One mark for neighbours, without what only they stood in. */
const RUN = /[(["'“‘«]*…[)\]"'”’»]*(?:[\s,;:/]*[(["'“‘«]*…[)\]"'”’»]*)*/gu;

/**
 * Returns a text without what only the program knows: addresses, hosts, ports, ids, refs, variables,
 * statuses and paths within JSON give way to an ellipsis, and a name such as `use_by` becomes words.
 * For texts that code passes on to a person and nobody wrote for one.
 *
 * Contract: total, linear, and a second time it changes nothing.
 *
 * @example
 * blotMachinery("use_by is wrong (api.shop.internal:8443)"); // "use by is wrong …"
 */
export function blotMachinery(text: string): string {
  const hidden = HIDDEN.reduce((rest, pattern) => rest.replace(pattern, LEFT_OUT), text);
  return hidden.replace(IDENTIFIER, nameInWords).replace(RUN, LEFT_OUT);
}

/**
 * Returns a name of the program as words: `shelf_id` is "shelf", `use_by` and `useBy` are "use by".
 *
 * @example
 * nameInWords("due_date"); // "due date"
 */
export function nameInWords(name: string): string {
  return name
    .replace(/(?:(?<=[\p{L}\p{N}])_id|(?<=\p{Ll})Id)(?![\p{L}\p{N}_])/gu, "")
    .replaceAll("_", " ")
    .replace(/(?<=[\p{Ll}\p{N}])\p{Lu}(?=\p{Ll})/gu, (letter) => ` ${letter.toLowerCase()}`);
}
