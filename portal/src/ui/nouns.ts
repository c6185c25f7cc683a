import { t } from '../language/index.ts';

/** The sentences about one kind of thing, for its list and its editor. */
export interface NounTexts {
  add: string;
  all: string;
  none: string;
  /** In place of the page of one that is not there. */
  missing: string;
  /** For roles that may not write it. */
  readOnly: string;
  search?: string;
  noMatch?: string;
  /** A link of an empty list to the page of a new one. */
  first?: string;
  /** Its editor. */
  form?: string;
  create?: string;
  edit?: string;
  notEditable?: string;
}

export const NOUNS = {
  alert: {
    add: t('New alert'),
    all: t('All alerts'),
    none: t('No alerts yet'),
    missing: t('There is no such alert'),
    readOnly: t('Your role lets you look at alerts, not create them.'),
    first: t('Create the first one'),
    form: t('The alert'),
    create: t('Create alert'),
    edit: t('Edit alert'),
    notEditable: t(
      'Your role lets you look at alerts, not change them. An administrator can give you a role that may.',
    ),
  },
  digest: {
    add: t('New digest'),
    all: t('All digests'),
    none: t('No digests yet'),
    missing: t('There is no such digest'),
    readOnly: t('Your role lets you look at digests, not create them.'),
    first: t('Create the first one'),
    form: t('The digest'),
    create: t('Create digest'),
    edit: t('Edit digest'),
    notEditable: t(
      'Your role lets you look at digests, not change them. An administrator can give you a role that may.',
    ),
  },
  metric: {
    add: t('New metric'),
    all: t('All metrics'),
    none: t('No metrics yet'),
    missing: t('There is no such metric'),
    readOnly: t('Your role lets you look at metrics, not define them.'),
    search: t('Search metrics'),
    noMatch: t('No metric matches'),
    first: t('Define the first one'),
    form: t('The metric'),
    create: t('Create metric'),
    edit: t('Edit metric'),
    notEditable: t(
      'Your role lets you look at metrics, not change them. An administrator can give you a role that may.',
    ),
  },
  segment: {
    add: t('New segment'),
    all: t('All segments'),
    none: t('No segments yet'),
    missing: t('There is no such segment'),
    readOnly: t('Your role lets you look at segments, not create them.'),
    search: t('Search segments'),
    noMatch: t('No segment matches'),
    first: t('Create the first one'),
    form: t('The segment'),
    create: t('Create segment'),
    edit: t('Edit segment'),
    notEditable: t(
      'Your role lets you look at segments, not change them. An administrator can give you a role that may.',
    ),
  },
  term: {
    add: t('Add term'),
    all: t('All terms'),
    none: t('No terms yet'),
    missing: t('There is no such term'),
    readOnly: t('Your role lets you look at terms, not add them.'),
    search: t('Search terms'),
    noMatch: t('No term matches'),
  },
  annotation: {
    add: t('Add annotation'),
    all: t('All annotations'),
    none: t('No annotations yet'),
    missing: t('There is no such annotation'),
    readOnly: t('Your role lets you look at annotations, not add them.'),
  },
} satisfies Record<string, NounTexts>;

export type Noun = keyof typeof NOUNS;

export function nounTexts(noun: Noun): NounTexts {
  return NOUNS[noun];
}
