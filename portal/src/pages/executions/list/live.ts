import { keepPreviousData } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { api } from '../../../api/client.ts';
import { polled, useShown } from '../../../feed/live.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { EXECUTIONS } from '../executions.ts';
import { arrivals, isNewestFirst, type ListSearch, queryOf, refreshed } from './state.ts';

/** The page of the list in the address. Rows stay while another page loads. */
export function useLiveList(search: ListSearch, isLive: boolean, list: RefObject<HTMLElement | null>) {
  const params = { query: queryOf(search, useAgent()) };
  const asked = JSON.stringify(params.query);
  const mayGrow = isNewestFirst(search);
  const isAsking = isLive && mayGrow;
  const options = { ...polled(isAsking), placeholderData: keepPreviousData };
  const query = api.useQuery('get', EXECUTIONS, { params }, options);
  const newest = query.isPlaceholderData ? undefined : query.data;
  const { shown, bringIn } = useShown(newest, { asked, isLive: isAsking, mayGrow, list });
  const page = shown?.answer;
  const isOld = shown?.asked !== asked;
  const isCurrent = newest !== undefined && !isOld;
  return {
    query,
    page,
    /** The rows are those of another question, until the answer comes. */
    isOld: shown !== undefined && isOld,
    rows: page && (isCurrent ? refreshed(page, newest) : page.executions),
    waiting: page && isCurrent && mayGrow ? arrivals(page, newest) : 0,
    bringIn,
  };
}
