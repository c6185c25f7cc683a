import { z } from 'zod';
import { messages } from './pt/messages.ts';
import { type Translator, translator } from './translate.ts';

/** The languages of pages, messages and pictures. */
export const languageSchema = z.enum(['en', 'pt'], 'must be en or pt');
export type TextLanguage = z.output<typeof languageSchema>;

/** For `Intl`. English is that of API answers; Portuguese is that of Brazil. */
export const LOCALES: Record<TextLanguage, string> = { en: 'en-US', pt: 'pt-BR' };

export type MessageTranslator = Translator<typeof messages>;

const translators: Record<TextLanguage, MessageTranslator> = {
  en: translator(LOCALES.en, null),
  pt: translator(LOCALES.pt, messages),
};

/** Texts of messages in a language. */
export function messageTranslator(language: TextLanguage): MessageTranslator {
  return translators[language];
}
