import type { Command } from 'commander';
import { addApplyCommand, addExampleCommand, addListCommand, addRemoveCommand } from './input/tenant-commands.ts';

const EXAMPLE = {
  name: 'local',
  provider: 'custom',
  baseUrl: 'http://localhost:11434/v1',
  allowPrivateNetwork: true,
  defaults: { temperature: 0.2, maxTokens: 1_024 },
  capabilities: { images: 'none', files: false, thinking: 'none' },
  price: { inputPerMillion: 0, outputPerMillion: 0 },
  timeout: 120,
};

export function register(program: Command): void {
  const providers = program.command('providers').description('define, list and remove LLM providers of a tenant');

  addApplyCommand(providers, {
    key: 'name',
    apply: (state, tenantId, definitions) => state.providers.apply(tenantId, definitions),
  });

  addListCommand(providers, {
    description: 'list definitions, without their secrets',
    member: 'providers',
    list: (state, tenantId) => state.providers.list(tenantId),
    header: ['NAME', 'PROVIDER', 'BASE URL', 'KEY', 'FALLBACKS', 'CHANGED'],
    row: ({ name, provider, baseUrl, apiKey, fallbacks, updatedAt }) => [
      name,
      provider,
      baseUrl ?? '-',
      apiKey === undefined ? '-' : apiKey === 'set' ? 'set' : `env ${apiKey.env}`,
      fallbacks.map((one) => one.providerName ?? one.provider).join(',') || '-',
      updatedAt,
    ],
  });

  addRemoveCommand(providers, {
    argument: 'name',
    description: 'remove a definition',
    remove: (state, tenantId, name) => state.providers.remove(tenantId, name),
  });

  addExampleCommand(providers, 'print a definition to begin with: a model on this machine, served by Ollama', EXAMPLE);
}
