import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { Paging } from '../../../feed/list.tsx';
import { pageNumber } from '../../../feed/state.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { DateField } from '../../../ui/date-field.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Badge, Item, ItemLink, Rows } from '../../../ui/item-list.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { RatingBadge } from '../../executions/list/rows.tsx';
import { REVIEWS, type Review, type ReviewsQuery } from '../api.ts';
import { labelOf, PRIORITIES, RATINGS, STATUSES } from '../words.ts';

const route = getRouteApi('/shell/reviews');
const PAGE_SIZE = 50;

/** All reviews, the newest first, as the address filters them. */
export function ReviewList() {
  const search = route.useSearch();
  const agentId = useAgent();
  const number = pageNumber(search.page);
  const { status, rating, priority, from, to } = search;
  const asked = { agentId, status, rating, priority, search: search.search, match: search.match };
  const given = Object.entries({ ...asked, dateFrom: from, dateTo: to }).filter(([, value]) => value !== undefined);
  const question = {
    ...(Object.fromEntries(given) as ReviewsQuery),
    limit: PAGE_SIZE,
    offset: (number - 1) * PAGE_SIZE,
  };
  const query = api.useQuery('get', REVIEWS, { params: { query: question } }, { placeholderData: keepPreviousData });
  const { data } = query;
  const isFiltered = given.some(([name]) => name !== 'agentId');
  return (
    <section className="stack" aria-labelledby="all-reviews">
      <h2 id="all-reviews">All reviews</h2>
      {(isFiltered || data?.total !== 0) && <Filters />}
      <QueryState query={query} what="the reviews" height={320} />
      <Rows
        label="Reviews, the newest first"
        rows={data?.reviews}
        total={data?.total}
        none={isFiltered ? 'No review matches' : 'No reviews yet'}
        next={
          isFiltered ? (
            <Link to="/reviews">Show all reviews</Link>
          ) : (
            <p>A review says how good one execution was. Make a queue of executions, and review one after the other.</p>
          )
        }
      >
        {(review) => <ReviewItem key={review.id} review={review} />}
      </Rows>
      {data && (
        <div className="row">
          <span className="small muted">
            {data.total === 1 ? 'One review' : `${data.total.toLocaleString()} reviews`}
          </span>
          <Paging label="Pages of reviews" number={number} total={data.total} size={PAGE_SIZE} />
        </div>
      )}
    </section>
  );
}

const any = (label: string) => ({ value: '', label }) as const;

const MATCHES = [
  { value: '', label: 'By their stems' },
  { value: 'exact', label: 'As written' },
] as const;

function Filters() {
  const search = route.useSearch();
  const setSearch = useSetSearch();
  const choice = (name: 'rating' | 'status' | 'priority' | 'match' | 'from' | 'to') => ({
    value: search[name] ?? '',
    onChoose: (value: string) => setSearch({ [name]: value || undefined, page: undefined }),
  });
  return (
    <search className="fields">
      <SearchField label="Words of the comment" />
      <SelectField label="Words count" options={MATCHES} {...choice('match')} />
      <SelectField label="Rating" options={[any('Any rating'), ...RATINGS]} {...choice('rating')} />
      <SelectField label="Status" options={[any('Any status'), ...STATUSES]} {...choice('status')} />
      <SelectField label="Priority" options={[any('Any priority'), ...PRIORITIES]} {...choice('priority')} />
      <DateField label="Created from" {...choice('from')} />
      <DateField label="Created through" {...choice('to')} />
    </search>
  );
}

/** A review; a press opens its execution. */
function ReviewItem({ review }: { review: Review }) {
  const { executionId, agentId, rating, status, priority, comment, tags, reviewedBy, createdAt, correctedOutput } =
    review;
  return (
    <Item
      title={
        <ItemLink to="/executions/$id" params={{ id: executionId }}>
          <bdi>{executionId}</bdi>
        </ItemLink>
      }
      beside={
        <>
          <RatingBadge rating={rating} />
          <Badge tone="muted">{labelOf(STATUSES, status)}</Badge>
          {priority !== 'medium' && <Badge>{labelOf(PRIORITIES, priority)}</Badge>}
          {correctedOutput !== null && <Badge>Corrected</Badge>}
        </>
      }
    >
      <p className="clamped" dir="auto">
        {comment}
      </p>
      <p className="small muted">
        <bdi>{agentId}</bdi> · by <bdi>{reviewedBy}</bdi> on <Time iso={createdAt} />
        {tags.length > 0 && (
          <>
            {' '}
            · <bdi>{tags.join(', ')}</bdi>
          </>
        )}
      </p>
    </Item>
  );
}
