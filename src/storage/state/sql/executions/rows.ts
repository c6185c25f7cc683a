import type { ChatFacts } from '../../../../core/agents/executions/schema.ts';
import type { ExecutionFacts, StoredExecution } from '../../../../core/agents/executions/store.ts';
import type { StateTables } from '../../schema/types.ts';
import { fromRow, toRow } from '../rows.ts';

type Row = StateTables['executions'];

/** Without `runner`: it belongs to the recording of chats. */
export function toExecutionRow(
  tenantId: string,
  { messages, output, idFromCaller, usage, chat, ...execution }: StoredExecution,
  revision: number,
): Omit<Row, 'runner'> {
  return {
    ...toRow(execution),
    tenant_id: tenantId,
    id_from_caller: idFromCaller ? 1 : 0,
    usage: usage && JSON.stringify(usage),
    content_length: messages.length + output.length,
    revision,
    chat: chat && JSON.stringify(chat),
  };
}

type Contents = Pick<StateTables['execution_contents'], 'messages' | 'output'>;

export function toExecution({ messages, output, ...row }: Row & Contents): StoredExecution {
  return { ...toFacts(row), messages, output };
}

export function toFacts(row: Row): ExecutionFacts {
  const { tenant_id: _, content_length: __, revision: ___, runner: ____, id_from_caller: fromCaller, ...rest } = row;
  return {
    ...fromRow(rest),
    idFromCaller: fromCaller === 1,
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Record<string, unknown>),
    chat: row.chat === null ? null : (JSON.parse(row.chat) as ChatFacts),
  };
}
