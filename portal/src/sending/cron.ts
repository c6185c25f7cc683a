import cronstrue from 'cronstrue';
import { LANGUAGE } from '../language/language.ts';

const LOCALES = { en: 'en', pt: 'pt_BR' };

// @ts-expect-error: the package has no types of its languages
if (LANGUAGE === 'pt') await import('cronstrue/locales/pt_BR.js');

/** A cron expression in the words of the page; throws for a text that is none. */
export function cronInWords(expression: string): string {
  return cronstrue.toString(expression, { use24HourTimeFormat: true, locale: LOCALES[LANGUAGE] });
}
