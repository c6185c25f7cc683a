import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../core/auth/bootstrap.ts';
import type { Agent } from '../core/auth/schema.ts';
import { alignedTable } from '../core/shared/text.ts';
import { type AdministrationOptions, administer, print, withAdministration } from './input/options.ts';

interface AgentOptions extends AdministrationOptions {
  tenant: string;
}

export function register(program: Command): void {
  const agents = program.command('agents').description('create and list agents');

  withAdministration(
    agents.command('create <name>').description('make an agent; agents also come with their first use'),
  )
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .action((name: string, options: AgentOptions) =>
      administer(options, async ({ auth }) => {
        const tenant = await auth.tenant(options.tenant);
        const agent = await auth.createAgent(tenant.id, { name }, null);
        print(options, describeAgent(agent), [`Created agent ${agent.name} of tenant ${tenant.name}.`]);
      }),
    );

  withAdministration(agents.command('list').description('list the agents of a tenant'))
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .action((options: AgentOptions) =>
      administer(options, async ({ auth }) => {
        const found = (await auth.listAgents((await auth.tenant(options.tenant)).id)).map(describeAgent);
        print(
          options,
          { agents: found },
          alignedTable(
            ['NAME', 'SINCE'],
            found.map((agent) => [agent.name, agent.createdAt]),
          ),
        );
      }),
    );
}

function describeAgent(agent: Agent) {
  return { ...agent, createdAt: new Date(agent.createdAt).toISOString() };
}
