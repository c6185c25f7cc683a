import type { Schemas } from '../../api/schemas.ts';
import { KINDS } from '../../transcript/steps/tree.ts';
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

const any = { value: '', label: 'Any' };
const yesOrNo = (yes: string, no: string) => [any, { value: 'true', label: yes }, { value: 'false', label: no }];

/** The filters of executions as forms show them. */
export const FILTER_FIELDS: readonly FilterField[] = [
  { name: 'agentId', label: 'Agent', isCommon: true },
  { name: 'status', label: 'Status', isCommon: true, options: [any, ...STATUSES] },
  {
    name: 'hasReview',
    label: 'Review',
    kind: 'boolean',
    isCommon: true,
    options: yesOrNo('With a review', 'Without a review'),
  },
  { name: 'rating', label: 'Rating', isCommon: true, options: [any, ...RATINGS] },
  { name: 'tag', label: 'Tag', isCommon: true },
  { name: 'search', label: 'Words', isCommon: true },
  { name: 'name', label: 'Name' },
  { name: 'model', label: 'Model' },
  { name: 'provider', label: 'Provider' },
  { name: 'userId', label: 'End user' },
  { name: 'threadId', label: 'Thread' },
  {
    name: 'kind',
    label: 'With a step of the kind',
    options: [any, ...KINDS.map((kind) => ({ value: kind, label: kind }))],
  },
  {
    name: 'hasAssessment',
    label: 'Assessments',
    kind: 'boolean',
    options: yesOrNo('With an assessment', 'Without one'),
  },
  { name: 'minCost', label: 'Least cost in US dollars', kind: 'number' },
  { name: 'maxCost', label: 'Most cost in US dollars', kind: 'number' },
  { name: 'minLatencyMs', label: 'Least latency in ms', kind: 'number' },
  { name: 'maxLatencyMs', label: 'Most latency in ms', kind: 'number' },
  { name: 'dateFrom', label: 'Started at or after' },
  { name: 'dateTo', label: 'Started before' },
];
