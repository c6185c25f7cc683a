import { useSearch } from '@tanstack/react-router';

const KEY = 'agent';

/** The agent that pages show, from the address; without one the last choice. Undefined: all agents. */
export function useAgent(): string | undefined {
  const { agent } = useSearch({ from: '/shell' });
  return agent ?? localStorage.getItem(KEY) ?? undefined;
}

export function rememberAgent(agent: string | undefined): void {
  if (agent === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, agent);
}
