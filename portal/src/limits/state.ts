import type { Schemas } from '../api/schemas.ts';
import { t } from '../language/index.ts';
import { type FilterRow, filtersOf, isComplete, rowsOf } from '../question/filters/filters.ts';
import type { ShownLimits } from './words.ts';

type Limits = Schemas['Limits'];

export const NAME_LISTS = ['agents', 'eventNames', 'vectorStores', 'connectors', 'models'] as const;
export type NameList = (typeof NAME_LISTS)[number];

/** Limits as a form holds them: an empty member limits nothing. */
export type LimitsForm = Record<NameList, string[]> & {
  filters: FilterRow[];
  /** The name of a segment. */
  segment: string;
};

export function limitsFormOf(limits: ShownLimits | null | undefined): LimitsForm {
  const { agents = [], eventNames = [], vectorStores = [], connectors = [], models = [] } = limits ?? {};
  const filters = rowsOf(limits?.filters);
  return { agents, eventNames, vectorStores, connectors, models, filters, segment: limits?.segment ?? '' };
}

/**
 * The request's limits without empty members; null without any. Throws for an incomplete filter: without it, the limits
 * would allow more than the user meant.
 */
export function limitsOf(form: LimitsForm): Limits | null {
  if (!form.filters.every(isComplete)) {
    throw new Error(t('Each filter needs a property and a value. Remove those that you do not need.'));
  }
  const lists = NAME_LISTS.map((list) => [list, form[list].map((name) => name.trim()).filter(Boolean)] as const);
  const filters = filtersOf(form.filters);
  const limits: Limits = {
    ...Object.fromEntries(lists.filter(([, names]) => names.length > 0)),
    ...(filters && { filters }),
    ...(form.segment !== '' && { segment: form.segment }),
  };
  return Object.keys(limits).length === 0 ? null : limits;
}

/** The paths of the fields in the request, after `prefix`: "limits.". */
export function limitPaths(prefix: string): string[] {
  return [...NAME_LISTS, 'filters', 'segment'].map((member) => prefix + member);
}
