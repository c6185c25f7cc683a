import type { ExportedAssessment } from './schema.ts';
import type { AssessmentStore, StoredAssessment } from './store.ts';

/** Assessments that are in memory together, unless one execution has more. */
const TOGETHER = 200;

/**
 * The items in their order, each with the assessments of its execution, in groups that have few
 * enough of them.
 */
export async function* withAssessments<Item extends { executionId: string }>(
  store: Pick<AssessmentStore, 'countsOf' | 'ofExecutions'>,
  tenantId: string,
  items: readonly Item[],
): AsyncGenerator<(Item & { assessments: ExportedAssessment[] })[]> {
  const counts = await store.countsOf(
    tenantId,
    items.map(({ executionId }) => executionId),
  );
  for (const group of groupsOf(items, ({ executionId }) => counts.get(executionId) ?? 0)) {
    const ids = group.map(({ executionId }) => executionId).filter((id) => counts.has(id));
    const found = await store.ofExecutions(tenantId, ids);
    yield group.map((item) => ({ ...item, assessments: (found.get(item.executionId) ?? []).map(exported) }));
  }
}

function* groupsOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Generator<Item[]> {
  let group: Item[] = [];
  let size = 0;
  for (const item of items) {
    if (group.length > 0 && size + sizeOf(item) > TOGETHER) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(item);
    size += sizeOf(item);
  }
  if (group.length > 0) yield group;
}

function exported({ rubric, version, assessor, answers, comment }: StoredAssessment): ExportedAssessment {
  return { rubric, version, assessor, answers, ...(comment === null ? {} : { comment }) };
}
