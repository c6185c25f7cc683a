import type { ChatFacts } from '../../../../core/agents/executions/schema.ts';
import type { ExecutionFacts, StoredExecution } from '../../../../core/agents/executions/store.ts';
import type { StateTables } from '../../schema/types.ts';

type Row = StateTables['executions'];

/** Without `runner`: it belongs to the recording of chats. */
export function toRow(tenantId: string, execution: StoredExecution, revision: number): Omit<Row, 'runner'> {
  return {
    tenant_id: tenantId,
    id: execution.id,
    id_from_caller: execution.idFromCaller ? 1 : 0,
    agent_id: execution.agentId,
    thread_id: execution.threadId,
    status: execution.status,
    provider: execution.provider,
    model: execution.model,
    usage: execution.usage && JSON.stringify(execution.usage),
    shape: execution.shape,
    content_length: execution.messages.length + execution.output.length,
    revision,
    started_at: execution.startedAt,
    completed_at: execution.completedAt,
    created_at: execution.createdAt,
    updated_at: execution.updatedAt,
    created_by: execution.createdBy,
    chat: execution.chat && JSON.stringify(execution.chat),
  };
}

type Contents = Pick<StateTables['execution_contents'], 'messages' | 'output'>;

export function toExecution(row: StateTables['executions'] & Contents): StoredExecution {
  return { ...toFacts(row), messages: row.messages, output: row.output };
}

export function toFacts(row: StateTables['executions']): ExecutionFacts {
  return {
    id: row.id,
    idFromCaller: row.id_from_caller === 1,
    agentId: row.agent_id,
    threadId: row.thread_id,
    status: row.status,
    provider: row.provider,
    model: row.model,
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Record<string, unknown>),
    shape: row.shape,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
    chat: row.chat === null ? null : (JSON.parse(row.chat) as ChatFacts),
  };
}
