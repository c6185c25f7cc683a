import type { Translations } from './translate.ts';

const catalogues = new Map<string, Translations>();

/** Makes a language available, once in a process or page, before anything is said in it. */
export function provideTranslations(language: string, translations: Translations): void {
  catalogues.set(language, translations);
}

/** Texts in the language of this BCP 47 tag; null if they stay English. */
export function translationsFor(locale: string): Translations | null {
  return catalogues.get(locale.split('-')[0]!.toLowerCase()) ?? null;
}
