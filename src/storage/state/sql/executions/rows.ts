import type { Insertable, Selectable } from 'kysely';
import type { ChatFacts } from '../../../../core/agents/executions/schema.ts';
import type { ExecutionFacts, StoredExecution, StoredStep } from '../../../../core/agents/executions/store.ts';
import type { StateTables } from '../../schema/types.ts';
import { fromRow, toRow } from '../rows.ts';

export type ExecutionTableRow = Selectable<StateTables['executions']>;
type Written = Omit<Insertable<StateTables['executions']>, 'number' | 'runner' | 'event' | 'is_indexed'>;

/** Without `runner` and the marks of background work. */
export function toExecutionRow(
  tenantId: string,
  { messages, output, idFromCaller, tags, metadata, usage, tools, chat, ...execution }: StoredExecution,
  revision: number,
): Written {
  return {
    ...toRow(execution),
    tenant_id: tenantId,
    id_from_caller: idFromCaller ? 1 : 0,
    tags: tags.length === 0 ? null : JSON.stringify(tags),
    metadata: metadata && JSON.stringify(metadata),
    usage: usage && JSON.stringify(usage),
    tools: tools.length === 0 ? null : JSON.stringify(tools),
    content_length: messages.length + output.length,
    revision,
    at: execution.startedAt ?? execution.createdAt,
    chat: chat && JSON.stringify(chat),
  };
}

export function toFacts(row: ExecutionTableRow): ExecutionFacts {
  const { tenant_id: _, content_length: __, revision: ___, runner: ____, id_from_caller: fromCaller, ...rest } = row;
  const { number: _____, at: ______, event: _______, isIndexed: ________, ...facts } = fromRow(rest);
  return {
    ...facts,
    idFromCaller: fromCaller === 1,
    tags: read<string[]>(row.tags) ?? [],
    metadata: read(row.metadata),
    usage: read(row.usage),
    tools: read<string[]>(row.tools) ?? [],
    chat: read<ChatFacts>(row.chat),
  };
}

type StepRow = Selectable<StateTables['execution_steps']>;

export function toStepRow(number: number, { content, usage, ...step }: StoredStep, body: Uint8Array | null): StepRow {
  const members = { ...toRow(step), number, usage: usage && JSON.stringify(usage) };
  return { ...members, content_length: content.length, body };
}

export function toStep({ number: _, body: __, content_length: ___, ...row }: StepRow, content: string): StoredStep {
  return { ...fromRow(row), usage: read(row.usage), content };
}

function read<Value = Record<string, unknown>>(json: string | null): Value | null {
  return json === null ? null : (JSON.parse(json) as Value);
}
