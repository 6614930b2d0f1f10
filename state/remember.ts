/**
 * Makes a function that is called once for an object, whose result lasts as long as the object.
 *
 * @example
 * const listNames = rememberFor((domain: Domain) => domain.entityTypes.map(({ type }) => type));
 * listNames(mealsDomain) === listNames(mealsDomain); // true
 */
export function rememberFor<K extends WeakKey, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
