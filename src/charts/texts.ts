import { translationsFor } from '../language/catalogues.ts';
import type { charts } from '../language/pt/charts.ts';
import { type Translator, translator } from '../language/translate.ts';
import { kept } from './locale.ts';

export type ChartTranslator = Translator<typeof charts>;

/** Texts of charts in the language of a BCP 47 tag; in English if that language is not there. */
export const chartTranslator: (locale: string) => ChartTranslator = kept((locale) =>
  translator<typeof charts>(locale, translationsFor(locale)),
);
