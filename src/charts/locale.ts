import { translationsFor } from '../language/catalogues.ts';
import type { charts } from '../language/pt/charts.ts';
import { type Translator, translator } from '../language/translate.ts';

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

export type ChartTranslator = Translator<typeof charts>;

/** Texts of charts in the language of a BCP 47 tag; in English if that language is not there. */
export const chartTranslator: (locale: string) => ChartTranslator = kept((locale) =>
  translator<typeof charts>(locale, translationsFor(locale)),
);
