import type { Page } from '../../base/shared/paging.ts';
import type { ErasedConversations } from '../executions/store.ts';
import type { Rubric } from './rubric-schema.ts';
import type { Assessment } from './schema.ts';

/** Times are epoch milliseconds. A version never changes. */
export interface StoredRubric extends Omit<Rubric, 'createdAt'> {
  createdAt: number;
}

export interface RubricHead {
  name: string;
  version: number;
  /** UTF-8 of title and questions as JSON. */
  bytes: number;
}

/** Every method sees one tenant. */
export interface RubricStore {
  /** `conflict`: the version is there. */
  add(tenantId: string, rubric: StoredRubric): Promise<'added' | 'conflict'>;
  /** The newest by default. */
  find(tenantId: string, name: string, version?: number): Promise<StoredRubric | null>;
  /** The newest version of each, by name. */
  heads(tenantId: string): Promise<RubricHead[]>;
  /** The versions that exist, by name. */
  some(tenantId: string, versions: readonly Pick<RubricHead, 'name' | 'version'>[]): Promise<StoredRubric[]>;
}

export interface StoredAssessment extends Omit<Assessment, 'createdAt' | 'updatedAt'> {
  createdAt: number;
  updatedAt: number;
}

/** A place in the list of an execution. */
export interface AssessmentPlace {
  createdAt: number;
  id: string;
}

/** Assessments of people with one version of a rubric. */
export interface AnswersFilter {
  rubric: string;
  version: number;
  /** Created at or after `from` and before `to`; null is open. */
  from: number | null;
  to: number | null;
}

export interface PersonsAnswers {
  id: string;
  executionId: string;
  /** The id of the user. */
  assessorId: string;
  /** A JSON text. */
  answers: string;
}

/** An assessor has at most one assessment of an execution with a rubric, in any version. */
export interface AssessmentStore {
  /** Takes the place of the assessor's own with that rubric, whose id and creation stay. */
  put(tenantId: string, assessment: StoredAssessment): Promise<{ created: boolean; assessment: StoredAssessment }>;
  find(tenantId: string, executionId: string, id: string): Promise<StoredAssessment | null>;
  /** Oldest first, those after the place. */
  list(
    tenantId: string,
    executionId: string,
    page: { limit: number; after: AssessmentPlace | null },
  ): Promise<Page<StoredAssessment>>;
  remove(tenantId: string, id: string): Promise<boolean>;
  /** The number of assessments of each execution that has some. */
  countsOf(tenantId: string, executionIds: readonly string[]): Promise<Map<string, number>>;
  /** Oldest first within an execution; executions without any are left out. */
  ofExecutions(tenantId: string, executionIds: readonly string[]): Promise<Map<string, StoredAssessment[]>>;
  /** The newest version of the rubric that people have answered. */
  newestAnswered(tenantId: string, rubric: string): Promise<number | null>;
  /** By execution and id, those after the cursor; those of an execution follow each other. */
  answersPage(
    tenantId: string,
    filter: AnswersFilter,
    after: Pick<PersonsAnswers, 'executionId' | 'id'> | null,
    limit: number,
  ): Promise<PersonsAnswers[]>;
  /** Null erases the whole tenant. Returns the number of assessments. */
  erase(tenantId: string, erased: ErasedConversations | null): Promise<number>;
}
