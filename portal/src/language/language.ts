import { stored } from '../ui/stored.ts';

/** Languages of the pages, in their own words. */
export const LANGUAGES = { en: 'English', pt: 'Português' };
export type Language = keyof typeof LANGUAGES;

/** For the choice of one. */
export const LANGUAGE_CHOICES = (Object.keys(LANGUAGES) as Language[]).map((value) => ({
  value,
  label: LANGUAGES[value],
}));

const DEFAULT_LOCALES: Record<Language, string> = { en: 'en', pt: 'pt-BR' };

/** The language of a BCP 47 tag, if the pages have it. */
export function languageOf(tag: string | undefined): Language | undefined {
  const primary = tag?.toLowerCase().split('-')[0];
  return (Object.keys(LANGUAGES) as Language[]).find((language) => language === primary);
}

/** Tests read modules of pages outside a browser: there is no document, and the texts are English. */
const { document } = globalThis as { document?: { documentElement: { lang: string } } };
const languages = document === undefined ? ['en'] : navigator.languages;

/** The first of the browser's languages that the pages have. */
export const BROWSER_LANGUAGE: Language = languages.map(languageOf).find((one) => one !== undefined) ?? 'en';

/** The language of this page: the user's setting, as this browser last knew it, else that of the browser. */
export const LANGUAGE: Language = languageOf(stored('localStorage', 'language')) ?? BROWSER_LANGUAGE;

/** Dates and numbers are written as in the browser's own variety of the language. */
export const LOCALE = languages.find((tag) => languageOf(tag) === LANGUAGE) ?? DEFAULT_LOCALES[LANGUAGE];

if (document !== undefined) document.documentElement.lang = LOCALE;
