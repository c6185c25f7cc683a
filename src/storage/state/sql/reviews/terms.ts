import { commentTerms, exactWords } from '../../../../core/agents/reviews/portuguese.ts';
import type { ReviewFilter, StoredReview } from '../../../../core/agents/reviews/store.ts';
import { RATINGS } from '../../../../core/base/shared/review-fields.ts';

/* Terms begin with the tenant (isolation) and are alphanumeric (no query syntax). */

const KINDS = { stem: 'm', word: 'w', agentId: 'a', rating: 'r', status: 's', priority: 'p', tag: 't' } as const;

type Indexed = Pick<StoredReview, 'agentId' | 'rating' | 'status' | 'priority' | 'tags' | 'comment'>;

export function indexedTerms(tenantId: string, review: Indexed): string[] {
  const { agentId, rating, status, priority, tags, comment } = review;
  const term = termsOf(tenantId);
  return [
    ...commentTerms(comment).map((stem) => term('stem', stem)),
    ...exactWords(comment).map((word) => term('word', word)),
    term('agentId', encoded(agentId)),
    term('rating', encoded(rating)),
    term('status', encoded(status)),
    term('priority', encoded(priority)),
    ...tags.map((tag) => term('tag', encoded(tag))),
  ];
}

/** A review matches if it has a term of each list. */
export function conditionTerms(tenantId: string, filter: ReviewFilter): string[][] {
  const term = termsOf(tenantId);
  const { agentId, rating, status, priority, tags, search = [], words = [] } = filter;
  const oneOf = (kind: keyof typeof KINDS, values: readonly string[] | undefined) =>
    values === undefined ? [] : [[...new Set(values)].map((value) => term(kind, encoded(value)))];
  const conditions = [
    ...search.map((variants) => variants.map((variant) => term('stem', variant))),
    ...words.map((word) => [term('word', word)]),
    ...oneOf('agentId', agentId === undefined ? undefined : [agentId]),
    ...oneOf('rating', rating),
    ...oneOf('status', status),
    ...oneOf('priority', priority),
    ...oneOf('tag', tags),
  ];
  if (conditions.length === 0) conditions.push(...oneOf('rating', RATINGS));
  return conditions;
}

function termsOf(tenantId: string) {
  const tenant = tenantId.replaceAll('-', '');
  return (kind: keyof typeof KINDS, value: string) => `${tenant}${KINDS[kind]}${value}`;
}

/** Digits, since the index ignores case. */
function encoded(value: string): string {
  return Buffer.from(value).toString('hex');
}
