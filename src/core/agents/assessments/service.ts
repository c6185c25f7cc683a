import type { AuditLog } from '../../base/audit/log.ts';
import { KeyedLimiter } from '../../base/concurrency/limiter.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { forbidden, notFound, RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import { resolveRange } from '../../base/time/dates.ts';
import { formatUtc } from '../../base/time/time.ts';
import { refuseForeignExecution } from '../executions/service.ts';
import type { SingleExecutions } from '../executions/store.ts';
import { agreementOn } from './agreement.ts';
import { checkedAnswers } from './answers.ts';
import { type RubricReference, readReference } from './rubric-schema.ts';
import type { RubricService } from './rubrics.ts';
import type {
  Agreement,
  AgreementQuery,
  Assess,
  Assessment,
  AssessmentList,
  AssessmentsQuery,
  Assessor,
} from './schema.ts';
import type { AssessmentPlace, AssessmentStore, StoredAssessment, StoredRubric } from './store.ts';

export interface AssessmentParts {
  store: AssessmentStore;
  rubrics: Pick<RubricService, 'named'>;
  executions: SingleExecutions;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/** They are read together. */
export const MAX_OF_EXECUTION = 200;

/** A comparison takes seconds of the processor. */
const COMPARISONS_OF_TENANT = {
  concurrency: 1,
  maxQueue: 20,
  rejection: 'Too many agreements are asked for at once. Try again.',
};

/** Answers of several people and programs about an execution, beside its one review. */
export class AssessmentService {
  private readonly parts: AssessmentParts;
  private readonly comparisons = new KeyedLimiter(COMPARISONS_OF_TENANT);

  constructor(parts: AssessmentParts) {
    this.parts = parts;
  }

  /**
   * Creates the caller's assessment of the execution with the rubric, or changes it as a whole.
   * Throws `unprocessable` (unknown rubric, wrong answer, too many) and `forbidden`.
   */
  async assess(
    caller: Caller,
    executionId: string,
    input: Assess,
  ): Promise<{ created: boolean; assessment: Assessment }> {
    requireScope(caller, 'reviews:write');
    const { store, effects } = this.parts;
    const { tenantId } = caller;
    await this.refuseForeign(caller, executionId);
    const rubric = await this.rubricOf(tenantId, readReference(input.rubric));
    const answers = checkedAnswers(rubric, input.answers);
    const assessor = assessorOf(caller);
    await this.checkRoom(tenantId, { executionId, rubric: rubric.name, assessor });
    const now = effects.now();
    const put = await store.put(tenantId, {
      id: effects.newId(),
      executionId,
      ...{ rubric: rubric.name, version: rubric.version, assessor, answers },
      comment: input.comment ?? null,
      createdAt: now,
      updatedAt: now,
    });
    return { created: put.created, assessment: shownAssessment(put.assessment) };
  }

  async list(caller: Caller, executionId: string, { limit, cursor }: AssessmentsQuery): Promise<AssessmentList> {
    requireScope(caller, 'reviews:read');
    await this.refuseForeign(caller, executionId);
    const after = cursor === undefined ? null : placeOf(cursor);
    const { items, total } = await this.parts.store.list(caller.tenantId, executionId, { limit: limit + 1, after });
    const shown = items.slice(0, limit);
    const last = shown.at(-1);
    const nextCursor = last && items.length > limit ? `${last.createdAt}.${last.id}` : null;
    return { assessments: shown.map(shownAssessment), nextCursor, total };
  }

  /** Throws `not_found`, and `forbidden` for anyone but the assessor. */
  async remove(caller: Caller, executionId: string, id: string): Promise<void> {
    requireScope(caller, 'reviews:write');
    const { store, audit } = this.parts;
    await this.refuseForeign(caller, executionId);
    const found = await store.find(caller.tenantId, executionId, id);
    if (!found) throw missing(executionId, id);
    if (!isSame(found.assessor, assessorOf(caller))) throw ofAnother();
    if (!(await store.remove(caller.tenantId, id))) throw missing(executionId, id);
    await audit.record(caller, caller.tenantId, 'assessment.deleted', id);
  }

  /** Only people count. Throws `not_found`, and `unprocessable` for too many assessments. */
  async agreement(caller: Caller, name: string, query: AgreementQuery, signal: AbortSignal): Promise<Agreement> {
    requireScope(caller, 'reviews:read');
    const { store, rubrics, effects } = this.parts;
    const { tenantId, timezone } = caller;
    const range = resolveRange(query, { timezone, now: effects.now() });
    const asked = query.version ?? (await store.newestAnswered(tenantId, name)) ?? undefined;
    const { version, questions } = await rubrics.named(tenantId, { name, version: asked });
    const filter = { rubric: name, version, ...range };
    const compare = () => agreementOn(questions, { store, tenantId, filter, signal });
    return { rubric: name, version, questions: await this.comparisons.run(tenantId, compare, { signal }) };
  }

  private async refuseForeign(caller: Caller, executionId: string): Promise<void> {
    const { executions } = this.parts;
    if ((await executions.agentOf(caller.tenantId, executionId)) !== null) return;
    await refuseForeignExecution(executions, caller, executionId);
  }

  /** The assessor's own with that rubric may always be changed. */
  private async checkRoom(
    tenantId: string,
    { executionId, rubric, assessor }: Pick<StoredAssessment, 'executionId' | 'rubric' | 'assessor'>,
  ): Promise<void> {
    const { store } = this.parts;
    if (((await store.countsOf(tenantId, [executionId])).get(executionId) ?? 0) < MAX_OF_EXECUTION) return;
    const all = (await store.ofExecutions(tenantId, [executionId])).get(executionId) ?? [];
    if (all.some((one) => one.rubric === rubric && isSame(one.assessor, assessor))) return;
    throw unprocessable(`An execution has at most ${MAX_OF_EXECUTION} assessments.`);
  }

  /** A rubric that a body names is `unprocessable` where it does not exist. */
  private async rubricOf(tenantId: string, reference: RubricReference): Promise<StoredRubric> {
    try {
      return await this.parts.rubrics.named(tenantId, reference);
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'not_found') throw error;
      throw unprocessable(`rubric: ${error.message}`);
    }
  }
}

/** A user is the same one in the portal and through an application. */
function assessorOf({ credential, userId, label }: Caller): Assessor {
  if (credential.kind === 'key') return { type: 'key', id: credential.id, label };
  return { type: 'user', id: userId ?? credential.id, label };
}

function isSame(one: Assessor, other: Assessor): boolean {
  return one.type === other.type && one.id === other.id;
}

/** The schema has checked it. */
function placeOf(cursor: string): AssessmentPlace {
  const [createdAt, id] = cursor.split('.') as [string, string];
  return { createdAt: Number(createdAt), id };
}

/** Also used for another tenant's assessment. */
function missing(executionId: string, id: string): RuntimeError {
  return notFound(`The execution "${executionId}" has no assessment "${id}".`);
}

function ofAnother(): RuntimeError {
  return forbidden('The assessment is of another assessor, who alone may delete it.');
}

function shownAssessment({ createdAt, updatedAt, ...assessment }: StoredAssessment): Assessment {
  return { ...assessment, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}
