/** Makes a function of a language that does its work once for each. */
export function cacheByLanguage<T>(create: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    const known = made.get(language) ?? create(language);
    made.set(language, known);
    return known;
  };
}
