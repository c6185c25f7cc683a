import { QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api, type Schemas } from './client.ts';
import { statusOf } from './errors.ts';

export type Session = Schemas['Session'];

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Offline, a request fails immediately instead of waiting without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      // Repeating a 4xx does not help.
      retry: (failures, error) => failures < 1 && (statusOf(error) ?? 500) >= 500,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Answers of these paths are out of date: those on the page are read again. */
export async function invalidate(matches: (path: string) => boolean): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [, path] }) => matches(String(path)) });
}

/** The user, the tenant, and the scopes of the user's role. */
export const sessionQuery = api.queryOptions('get', '/api/v1/portal/me', {}, { staleTime: 300_000, retry: false });

export type Scope = Session['scopes'][number];

/** True if the user's role has the scope. */
export function allows({ scopes }: Session, scope: Scope): boolean {
  return scopes.includes('*') || scopes.includes(scope);
}

interface Rights {
  can(scope: Scope): boolean;
  /** True for users who may do what endpoints ask of an administrator. */
  isAdministrator: boolean;
}

/** For pages within the shell, which loads the session first. */
export function useSession(): Session & Rights {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, can: (scope: Scope) => allows(data, scope), isAdministrator: data.scopes.includes('*') };
}
