import type { Command } from 'commander';
import type { State } from '../../app/state.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { alignedTable } from '../../core/base/shared/text.ts';
import { print, usedSoon } from '../presentation/output.ts';
import { administerTenant } from '../server/administer.ts';
import { inputName, readInput } from './input.ts';
import { type TenantOptions, withTenant } from './options.ts';

/** Throws `invalid` with the position only: V8's message quotes text that may be secret. */
export function parseJson(source: string, file: string): unknown {
  // Byte order mark.
  const text = source.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch (error) {
    const name = inputName(file);
    const position = faultyPosition(text, (error as Error).message);
    if (position >= text.length) throw invalid(`${name}: is not JSON, or not all of it`);
    const before = text.slice(0, position);
    const lineAndColumn = `line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')}`;
    throw invalid(`${name}: is not JSON (${lineAndColumn})${explained(before, text[position]!)}`);
  }
}

/** The JSON of a file, or of standard input. */
export async function readJson(file: string): Promise<unknown> {
  return parseJson(await readInput(file), file);
}

/** V8 reports the position, except where it expected a value. */
function faultyPosition(text: string, message: string): number {
  const [, reported] = / at position (\d+)/.exec(message) ?? [];
  if (reported !== undefined) return Number(reported);
  // Binary search for the shortest prefix with that error.
  let [sound, faulty] = [0, text.length + 1];
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (isFaulty(text.slice(0, middle))) faulty = middle;
    else sound = middle;
  }
  return faulty - 1;
}

function isFaulty(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token');
  }
}

function explained(before: string, character: string): string {
  if (/[/#]/.test(character)) return ': JSON has no comments';
  return /[}\]]/.test(character) && before.trimEnd().endsWith(',') ? ': the comma before it is one too many' : '';
}

interface ListCommand<Item> {
  description: string;
  /** The JSON member that holds the items. */
  member: string;
  list: (state: State, tenantId: string) => Promise<Item[]>;
  header: string[];
  row: (item: Item) => string[];
}

export function addListCommand<Item>(group: Command, command: ListCommand<Item>): void {
  const { description, member, list, header, row } = command;
  withTenant(group.command('list').description(description)).action((options: TenantOptions) =>
    administerTenant(options, async (tenant, state) => {
      const items = await list(state, tenant.id);
      print(options, { [member]: items }, alignedTable(header, items.map(row)));
    }),
  );
}

interface RemoveCommand {
  argument: string;
  description: string;
  remove: (state: State, tenantId: string, name: string) => Promise<unknown>;
}

export function addRemoveCommand(group: Command, { argument, description, remove }: RemoveCommand): void {
  withTenant(group.command(`remove <${argument}>`).description(description)).action(
    (name: string, options: TenantOptions) =>
      administerTenant(options, async (tenant, state) => {
        await remove(state, tenant.id, name);
        print(options, { tenant: tenant.name, removed: name }, [`Removed ${name}.`]);
      }),
  );
}

interface ApplyCommand<Key extends string, Applied> {
  /** The member that identifies a definition. */
  key: Key;
  /** Options of its own, with their descriptions. */
  flags?: [flags: string, description: string][];
  apply: (state: State, tenantId: string, definitions: unknown, options: Record<string, unknown>) => Promise<Applied[]>;
  /** Columns beside the key and the outcome. */
  shown?: { header: string[]; row: (applied: Applied) => string[] };
  nextSteps?: (state: State, tenantId: string, applied: Applied[]) => Promise<string[]>;
}

export function addApplyCommand<Key extends string, Applied extends { outcome: string } & Record<Key, string>>(
  group: Command,
  { key, flags = [], apply, shown, nextSteps = async () => [] }: ApplyCommand<Key, Applied>,
): void {
  const member = group.name();
  const command = group
    .command('apply <file>')
    .description('install the definitions of a JSON file; - reads standard input');
  for (const [flag, description] of flags) command.option(flag, description);
  withTenant(command)
    .addHelpText(
      'after',
      `\nA definition takes the place of the one of its ${key}; others stay. \`${member} example\` prints one.`,
    )
    .action((file: string, options: TenantOptions & Record<string, unknown>) =>
      administerTenant(options, async ({ id, name }, state, config) => {
        const applied = await apply(state, id, await readJson(file), options);
        const rows = applied.map((one) => [one[key], one.outcome, ...(shown?.row(one) ?? [])]);
        const isChanged = applied.some(({ outcome }) => outcome !== 'unchanged');
        print(options, { tenant: name, [member]: applied }, [
          ...alignedTable([key.toUpperCase(), 'OUTCOME', ...(shown?.header ?? [])], rows),
          ...(await nextSteps(state, id, applied)),
          ...(isChanged ? [usedSoon(config)] : []),
        ]);
      }),
    );
}

export function addExampleCommand(group: Command, description: string, example: object): void {
  group
    .command('example')
    .description(description)
    .option('--json', 'print one JSON object, for scripts')
    .action((options: { json?: boolean }) => print(options, example, [JSON.stringify(example, null, 2)]));
}
