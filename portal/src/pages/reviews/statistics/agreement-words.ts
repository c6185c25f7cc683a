import type { Schemas } from '../../../api/schemas.ts';

/** The agreement on a question. */
export type Agreed = Schemas['Agreement']['questions'][number];

/** "Cohen’s kappa, of the same two people" */
export function methodInWords(method: Agreed['method']): string {
  if (method === null) return '';
  const coefficient = method.startsWith('cohen')
    ? 'Cohen’s kappa, of the same two people'
    : 'Fleiss’ kappa, of different people';
  return method.includes('quadratic') ? `${coefficient}; near answers agree in part` : coefficient;
}

/** Why a question has no kappa. */
export function whyNoKappa({ items }: Pick<Agreed, 'items'>): string {
  if (items === 0) return 'Too few to say: no execution has answers of two people yet.';
  if (items === 1) return 'Too few to say: it takes two executions with answers of two people each.';
  return 'Too few to say: all answers are the same, and chance would agree as often.';
}
