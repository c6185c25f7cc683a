import type { Command } from 'commander';
import type { State } from '../../app/state.ts';
import { alignedTable } from '../../core/base/shared/text.ts';
import { print, usedSoon } from '../presentation/output.ts';
import { administerTenant } from '../server/administer.ts';
import { readInput } from './input.ts';
import { parseJson } from './json.ts';
import { type TenantOptions, withTenant } from './options.ts';

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
        const applied = await apply(state, id, parseJson(await readInput(file), file), options);
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
