import { type NavigateOptions, type RegisteredRouter, useNavigate, type useSearch } from '@tanstack/react-router';

/** The parameters of all pages. */
type Search = ReturnType<typeof useSearch<RegisteredRouter, undefined, false>>;

/** Changes parameters of the shown page's address; by default without another entry of the browser's history. */
export function useSetSearch() {
  const navigate = useNavigate();
  return (changed: Search, options: Pick<NavigateOptions, 'replace' | 'resetScroll'> = { replace: true }) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), ...options });
}
