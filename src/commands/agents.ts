import type { Command } from 'commander';
import type { Agent } from '../core/access/auth/schema.ts';
import { type TenantOptions, withTenant } from './input/options.ts';
import { addListCommand } from './input/tenant-commands.ts';
import { print } from './presentation/output.ts';
import { administerTenant } from './server/administer.ts';

export function register(program: Command): void {
  const agents = program.command('agents').description('create and list agents');

  withTenant(
    agents.command('create <name>').description('make an agent; agents also come with their first use'),
  ).action((name: string, options: TenantOptions) =>
    administerTenant(options, async (tenant, { agents }) => {
      const agent = await agents.create(tenant.id, { name }, null);
      print(options, { tenantId: tenant.id, ...agent }, [`Created agent ${agent.name} of tenant ${tenant.name}.`]);
    }),
  );

  addListCommand(agents, {
    description: 'list the agents of a tenant',
    member: 'agents',
    list: async ({ agents }, tenantId) => (await agents.listAll({ tenantId })).map(describeAgent),
    header: ['NAME', 'SINCE'],
    row: ({ name, createdAt }) => [name, createdAt],
  });
}

function describeAgent(agent: Agent) {
  return { ...agent, createdAt: new Date(agent.createdAt).toISOString() };
}
