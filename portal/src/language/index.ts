import { createElement, Fragment, type ReactNode } from 'react';
import { provideTranslations } from '../../../src/language/catalogues.ts';
import {
  type Known,
  type PlainText,
  type Translator,
  translator,
  type ValuesOf,
} from '../../../src/language/translate.ts';
import { LANGUAGE, LOCALE } from './language.ts';
import type { Portuguese } from './pt/index.ts';

export { LOCALE } from './language.ts';

/** Texts whose only value is `time`. */
export type TextOfTime = Exclude<
  Extract<PlainText<Portuguese>, `${string}{time}${string}`>,
  `${string}{${string}{${string}`
>;

interface PageTranslator extends Translator<Portuguese> {
  /** The text around elements: `t.nodes('See {link}.', { link: <a href="…">…</a> })`. */
  nodes<Text extends string>(
    text: Text & Known<Text, PlainText<Portuguese>>,
    ...values: ValuesOf<Text, ReactNode>
  ): ReactNode;
}

/** The translations are awaited here, so that every module finds its texts in the language of the page when it is evaluated. */
const portuguese = LANGUAGE === 'pt' ? await import('./pt/index.ts') : null;
if (portuguese) provideTranslations('pt', portuguese.charts);

const translate = translator<Portuguese>(LOCALE, portuguese?.PORTUGUESE ?? null);

/**
 * Says an English text in the language of the page. English stands in the sources; the types refuse a text that the
 * Portuguese catalogue lacks. See docs/decisions/0062-two-languages.md.
 */
export const t: PageTranslator = Object.assign(translate, {
  nodes: (...given: Parameters<Translator<Portuguese>['parts']>) =>
    createElement(Fragment, null, ...(translate.parts(...given) as ReactNode[])),
}) as PageTranslator;

/** A text of the server in the language of the page, as far as it is known. */
export const serverText = portuguese?.serverText ?? ((text: string) => text);
