import { stored } from '../ui/stored.ts';

/** Languages of the pages, in their own words. */
export const LANGUAGES = { en: 'English', pt: 'Português' };
export type Language = keyof typeof LANGUAGES;

const DEFAULT_LOCALES: Record<Language, string> = { en: 'en', pt: 'pt-BR' };

/** The language of a BCP 47 tag, if the pages have it. */
export function languageOf(tag: string | undefined): Language | undefined {
  const primary = tag?.toLowerCase().split('-')[0];
  return (Object.keys(LANGUAGES) as Language[]).find((language) => language === primary);
}

/** Tests read modules of pages outside a browser: there is no document, and the texts are English. */
const { document } = globalThis as { document?: { documentElement: { lang: string } } };
const languages = document === undefined ? ['en'] : navigator.languages;

/** The language of this page: the user's choice, else the first of the browser's that there is. */
export const LANGUAGE: Language =
  languageOf(stored('localStorage', 'language')) ?? languages.map(languageOf).find((one) => one !== undefined) ?? 'en';

/** Dates and numbers are written as in the browser's own variety of the language. */
export const LOCALE = languages.find((tag) => languageOf(tag) === LANGUAGE) ?? DEFAULT_LOCALES[LANGUAGE];

if (document !== undefined) document.documentElement.lang = LOCALE;
