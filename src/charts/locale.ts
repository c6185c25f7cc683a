/** Formatters are most of the time of a drawing, so they are kept. */
const MOST_KEPT = 100;

/** Makes a value once for a key, and forgets the oldest beyond `MOST_KEPT`. */
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

/** English where the tag is none, or of a language without data. */
export const knownLocale = kept((tag) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
});
