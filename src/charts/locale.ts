/** Entries of a cache. Creating formatters takes most of the time of a drawing. */
const MOST_KEPT = 100;

/** Memoizes `make` by its key; beyond `MOST_KEPT` entries the oldest is removed. */
export function kept<Value>(make: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    if (values.size >= MOST_KEPT) values.delete(values.keys().next().value!);
    values.set(key, made);
    return made;
  };
}

/** The tag, or English if it is malformed or `Intl` has no data for the language. */
export const knownLocale = kept((tag) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
});
