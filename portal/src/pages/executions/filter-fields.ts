import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { KIND_LABELS, KINDS } from '../../transcript/steps/tree.ts';
import { RATINGS } from '../reviews/words.ts';
import { STATUSES } from './words.ts';

export interface FilterField {
  name: keyof Schemas['QueueRow']['filters'];
  label: string;
  /** Text by default. */
  kind?: 'number' | 'boolean';
  options?: readonly { value: string; label: string }[];
  /** Shown at once; the others when somebody unfolds them. */
  isCommon?: boolean;
}

const any = { value: '', label: t('Any') };
const yesOrNo = (yes: string, no: string) => [any, { value: 'true', label: yes }, { value: 'false', label: no }];

/** The filters of executions as forms show them. */
export const FILTER_FIELDS: readonly FilterField[] = [
  { name: 'agentId', label: t('Agent'), isCommon: true },
  { name: 'status', label: t('Status'), isCommon: true, options: [any, ...STATUSES] },
  {
    name: 'hasReview',
    label: t('Review'),
    kind: 'boolean',
    isCommon: true,
    options: yesOrNo(t('With a review'), t('Without a review')),
  },
  { name: 'rating', label: t('Rating'), isCommon: true, options: [any, ...RATINGS] },
  { name: 'tag', label: t('Tag'), isCommon: true },
  { name: 'search', label: t('Words'), isCommon: true },
  { name: 'name', label: t('Name') },
  { name: 'model', label: t('Model') },
  { name: 'provider', label: t('Provider') },
  { name: 'userId', label: t('End user') },
  { name: 'threadId', label: t('Thread') },
  {
    name: 'kind',
    label: t('With a step of the kind'),
    options: [any, ...KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))],
  },
  {
    name: 'hasAssessment',
    label: t('Assessments'),
    kind: 'boolean',
    options: yesOrNo(t('With an assessment'), t('Without one|an assessment')),
  },
  { name: 'minCost', label: t('Least cost in US dollars'), kind: 'number' },
  { name: 'maxCost', label: t('Most cost in US dollars'), kind: 'number' },
  { name: 'minLatencyMs', label: t('Least latency in ms'), kind: 'number' },
  { name: 'maxLatencyMs', label: t('Most latency in ms'), kind: 'number' },
  { name: 'dateFrom', label: t('Started at or after') },
  { name: 'dateTo', label: t('Started before') },
];
