import { z } from 'zod';
import { withTimeout } from '../../base/concurrency/timers.ts';
import { reaches } from '../../base/filters/limits.ts';
import { agentWithin } from '../../base/shared/agent.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import { cursorOf, cursorPlace } from '../../base/shared/cursor.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { resolveRange } from '../../base/time/dates.ts';
import type { AssessmentStore } from '../assessments/store.ts';
import {
  type ExecutionFilters,
  type ExecutionList,
  type ExecutionRow,
  type ListExecutions,
  MAX_TOTAL,
  type SortedBy,
} from './list-schema.ts';
import { shownFacts } from './shown.ts';
import type { ExecutionFilter, ExecutionLists, ListedExecution } from './store.ts';
import { contentSearchTerms } from './words.ts';

/** The total may come so much later than the rows. */
const TOTAL_MS = 30;

/** Costs alone may be fractions. */
const placeSchema = (sortBy: SortedBy) => z.tuple([sortBy === 'cost' ? z.number() : z.int(), z.int()]);

const NOTHING: ExecutionList = { executions: [], nextCursor: null, total: 0 };

export interface ExecutionListParts {
  store: ExecutionLists;
  assessments: Pick<AssessmentStore, 'countsOf'>;
  effects: Pick<Effects, 'now'>;
}

/** Executions as people look for them. */
export class ExecutionListService {
  private readonly parts: ExecutionListParts;

  constructor(parts: ExecutionListParts) {
    this.parts = parts;
  }

  /** Throws `invalid` for a cursor of no answer. */
  async list(caller: Caller, input: ListExecutions): Promise<ExecutionList> {
    requireScope(caller, 'executions:read');
    const { sortBy, sortOrder, limit, cursor, ...filters } = input;
    const { store, assessments } = this.parts;
    const filter = this.filterOf(caller, filters);
    if (filter.agentId !== undefined && !reaches(caller, 'agents', filter.agentId)) return NOTHING;
    const after = cursorPlace(cursor, placeSchema(sortBy));
    const page = { by: sortBy, order: sortOrder, after, limit: limit + 1 };
    using counting = startCount((signal) =>
      store.count(caller.tenantId, filter, { by: sortBy, most: MAX_TOTAL, signal }),
    );
    const found = await store.list(caller.tenantId, filter, page);
    const last = found.length > limit ? found[limit - 1]! : null;
    return {
      executions: await shownRows(assessments, caller.tenantId, found.slice(0, limit)),
      nextCursor: last && cursorOf(last.place),
      total: await totalOf(counting.total, { found: found.length, limit, isFirst: after === null }),
    };
  }

  /** The conditions with dates and words as the store reads them. */
  filterOf(caller: Caller, filters: ExecutionFilters): ExecutionFilter {
    const { agentId, reviewed, hasReview = reviewed, search, dateFrom: _, dateTo: __, ...plain } = filters;
    return {
      ...plain,
      ...resolveRange(filters, { timezone: caller.timezone, now: this.parts.effects.now() }),
      agentId: agentWithin(caller, agentId),
      hasReview,
      search: search === undefined ? undefined : contentSearchTerms(search),
    };
  }
}

/** Counts while a page is read; whatever waits for its turn when the page is there is dropped. */
export function startCount(count: (signal: AbortSignal) => Promise<number | null>) {
  const page = new AbortController();
  return { total: count(page.signal), [Symbol.dispose]: () => page.abort() };
}

/** The number of rows where the first page has them all; null when counting would hold them up. */
export async function totalOf(
  counting: Promise<number | null>,
  { found, limit, isFirst }: { found: number; limit: number; isFirst: boolean },
): Promise<number | null> {
  return isFirst && found <= limit ? found : withTimeout(counting, TOTAL_MS, () => null);
}

/** With the number of assessments of each. */
export async function shownRows(
  assessments: Pick<AssessmentStore, 'countsOf'>,
  tenantId: string,
  listed: readonly ListedExecution[],
): Promise<ExecutionRow[]> {
  const counts = await assessments.countsOf(
    tenantId,
    listed.map(({ execution }) => execution.id),
  );
  return listed.map(({ execution, review }) => ({
    ...shownFacts(execution),
    review,
    assessments: counts.get(execution.id) ?? 0,
  }));
}
