import { t } from '../../../language/index.ts';
/** The states that the page filters by; the first is shown by default. */
export const STATES = [
  { value: 'active', label: t('Working') },
  { value: 'expiring', label: t('Expires within 30 days') },
  { value: 'expired', label: t('Expired') },
  { value: 'revoked', label: t('Revoked') },
  { value: 'all', label: t('All|keys') },
] as const;

type State = (typeof STATES)[number]['value'];

/** The page's address. */
export interface KeysSearch {
  search?: string | undefined;
  state?: string | undefined;
  maker?: string | undefined;
  leavers?: string | undefined;
  page?: string | undefined;
}

export function asked({ search, state, maker, leavers, page }: KeysSearch) {
  const number = Math.max(1, Math.floor(Number(page)) || 1);
  const isLeavers = leavers === 'true';
  return {
    number,
    state: isLeavers ? ('active' as State) : (STATES.find(({ value }) => value === state)?.value ?? STATES[0].value),
    search,
    maker: isLeavers ? undefined : maker,
    isLeavers,
  };
}

/** A key that somebody pastes, whatever is around it, must not stand in the address: its id finds it. */
export function withoutSecret(search: string | undefined): string | undefined {
  return search?.match(/ar_([0-9A-Za-z]{12})_/)?.[1] ?? search;
}
