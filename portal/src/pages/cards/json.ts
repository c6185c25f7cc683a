import { t } from '../../language/index.ts';
import { isObject } from '../../question/state/text.ts';
import { configOf, formOf } from './config.ts';
import type { CardForm, CardType, Config } from './state.ts';

export const CARD_TYPES: readonly CardType[] = ['number', 'rate', 'line', 'bar', 'pie', 'table', 'funnel', 'gauge'];

interface Content {
  cardType: CardType;
  config: Config;
  title?: string;
}

export function jsonOf(form: CardForm): string {
  return JSON.stringify({ cardType: form.cardType, config: configOf(form) }, null, 2);
}

/** The form of a typed JSON text, or the error in the text. */
export function formOfJson(text: string): { form: CardForm; title?: string } | { fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: t('This is not JSON yet: {message}', { message: error instanceof Error ? error.message : '' }) };
  }
  const content = contentOf(value);
  if (typeof content === 'string') return { fault: content };
  const { cardType, config, title } = content;
  return { form: formOf(cardType, config), ...(title === undefined ? {} : { title }) };
}

function contentOf(value: unknown): Content | string {
  if (!isObject(value)) return t('A card is an object of cardType and config.');
  const { cardType, config, title } = value;
  const known = CARD_TYPES.find((one) => one === cardType);
  if (known === undefined) return t('cardType: must be one of {types}', { types: CARD_TYPES.join(', ') });
  if (!isObject(config)) return t('config: must be an object');
  return { cardType: known, config, ...(typeof title === 'string' && title !== '' ? { title } : {}) };
}
