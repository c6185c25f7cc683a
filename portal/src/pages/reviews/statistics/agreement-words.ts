import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';

/** The agreement on a question. */
export type Agreed = Schemas['Agreement']['questions'][number];

/** "Cohen’s kappa, of the same two people" */
export function methodInWords(method: Agreed['method']): string {
  if (method === null) return '';
  const coefficient = method.startsWith('cohen')
    ? t('Cohen’s kappa, of the same two people')
    : t('Fleiss’ kappa, of different people');
  return method.includes('quadratic') ? t('{coefficient}; near answers agree in part', { coefficient }) : coefficient;
}

/** Why a question has no kappa. */
export function whyNoKappa({ items }: Pick<Agreed, 'items'>): string {
  if (items === 0) return t('Too few to say: no execution has answers of two people yet.');
  if (items === 1) return t('Too few to say: it takes two executions with answers of two people each.');
  return t('Too few to say: all answers are the same, and chance would agree as often.');
}
