import type { Generated } from 'kysely';
import type { Assessor } from '../../../core/agents/assessments/schema.ts';
import type { StoredExecution, StoredStep } from '../../../core/agents/executions/store.ts';
import type { HandState } from '../../../core/agents/queues/store.ts';
import type { StoredReview } from '../../../core/agents/reviews/store.ts';

/** Executions, and what people say of them. */
export interface ExecutionTables {
  executions: {
    number: Generated<number>;
    tenant_id: string;
    id: string;
    id_from_caller: number;
    agent_id: string;
    thread_id: string | null;
    user_id: string | null;
    name: string | null;
    tags: string | null;
    metadata: string | null;
    parent_id: string | null;
    status: StoredExecution['status'];
    source: StoredExecution['source'];
    provider: string | null;
    model: string | null;
    usage: string | null;
    input_tokens: number | null;
    output_tokens: number | null;
    total_tokens: number | null;
    sent_cost: number | null;
    cost: number | null;
    cost_basis: StoredExecution['costBasis'];
    error_kind: string | null;
    /** Names of the tools that the messages call. */
    tools: string | null;
    latency_ms: number | null;
    /** The number of its steps. */
    steps: number;
    shape: string;
    /** Characters of messages and output together. */
    content_length: number;
    revision: number;
    /** When it started, else when it was created. */
    at: number;
    started_at: number | null;
    completed_at: number | null;
    created_at: number;
    updated_at: number;
    created_by: string | null;
    chat: string | null;
    /** The process that runs the chat. */
    runner: string | null;
    /** The event of its end; null before. */
    event: 'unsent' | 'sent' | null;
    /** Whether `execution_text_index` has its words. */
    is_indexed: number;
  };
  /** Messages and output (`sql/executions/body.ts`). */
  execution_bodies: { number: number; body: Uint8Array };
  execution_index: { rowid: number };
  execution_text_index: { rowid: number };
  execution_steps: {
    number: number;
    id: string;
    parent_id: string | null;
    kind: StoredStep['kind'];
    name: string;
    status: StoredStep['status'];
    error_kind: string | null;
    error: string | null;
    started_at: number;
    ended_at: number | null;
    provider: string | null;
    model: string | null;
    usage: string | null;
    input_tokens: number | null;
    output_tokens: number | null;
    total_tokens: number | null;
    cost: number | null;
    cost_basis: StoredStep['costBasis'];
    /** Characters of input, output and attributes as JSON. */
    content_length: number;
    /** Input, output and attributes. */
    body: Uint8Array | null;
  };
  reviews: {
    number: Generated<number>;
    id: string;
    tenant_id: string;
    execution_id: string;
    agent_id: string;
    rating: StoredReview['rating'];
    status: StoredReview['status'];
    priority: StoredReview['priority'];
    created_at: number;
    updated_at: number;
    resolved_at: number | null;
    reviewed_by: string;
    updated_by: string | null;
    resolved_by: string | null;
    tags: string;
    comment: string;
    action_taken: string | null;
    resolution_notes: string | null;
    corrected_output: string | null;
  };
  review_counts: {
    tenant_id: string;
    agent_id: string;
    rating: StoredReview['rating'];
    status: StoredReview['status'];
    priority: StoredReview['priority'];
    reviews: number;
    resolution_ms: number;
  };
  /** In a MATCH, `review_index` is the whole row. */
  review_index: { rowid: number; terms: string; review_index: string };
  rubrics: {
    tenant_id: string;
    name: string;
    version: number;
    definition: string;
    created_at: number;
    created_by: string;
  };
  assessments: {
    id: string;
    tenant_id: string;
    execution_id: string;
    rubric: string;
    /** The version of the rubric. */
    version: number;
    assessor_type: Assessor['type'];
    assessor_id: string;
    assessor_label: string;
    answers: string;
    comment: string | null;
    created_at: number;
    updated_at: number;
  };
  queues: {
    id: string;
    tenant_id: string;
    name: string;
    definition: string;
    /** As in the definition. */
    assessors: number;
    /** Another one after each change of its rules. */
    revision: number;
    /** JSON of the place in the list of executions up to which it was filled. */
    place: string | null;
    is_walked: number;
    /** Outcomes before were looked at. */
    outcomes_from: number | null;
    created_at: number;
    created_by: string;
    updated_at: number;
  };
  queue_items: {
    number: number;
    queue_id: string;
    at: number;
    is_open: number;
    done_count: number;
    holder: string | null;
    lease_until: number | null;
  };
  queue_hands: {
    number: number;
    queue_id: string;
    assessor: string;
    label: string;
    state: HandState;
    updated_at: number;
  };
  queue_changes: { number: number; tenant_id: string; mark: number };
}
