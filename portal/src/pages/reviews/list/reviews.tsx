import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { Paging } from '../../../feed/list.tsx';
import { pageNumber } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Badge, Item, ItemLink, Rows } from '../../../ui/item-list.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { RatingBadge } from '../../executions/list/rows.tsx';
import { REVIEWS, type Review } from '../api.ts';
import { CommonFilters, useFilter, useFilters } from '../filters.tsx';
import { labelOf, PRIORITIES, STATUSES } from '../words.ts';

const route = getRouteApi('/shell/reviews');
const PAGE_SIZE = 50;

/** All reviews, the newest first, as the address filters them. */
export function ReviewList() {
  const number = pageNumber(route.useSearch().page);
  const { filters, isFiltered } = useFilters();
  const question = { ...filters, limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE };
  const query = api.useQuery('get', REVIEWS, { params: { query: question } }, { placeholderData: keepPreviousData });
  const { data } = query;
  return (
    <Section id="all-reviews" title={t('All reviews')} className="stack">
      {(isFiltered || data?.total !== 0) && <Filters />}
      <QueryState query={query} height={320} />
      <Rows
        label={t('Reviews, the newest first')}
        rows={data?.reviews}
        total={data?.total}
        none={isFiltered ? t('No review matches') : t('No reviews yet')}
        next={
          isFiltered ? (
            <Link to="/reviews">{t('Show all reviews')}</Link>
          ) : (
            <p>
              {t(
                'A review says how good one execution was. Make a queue of executions, and review one after the other.',
              )}
            </p>
          )
        }
      >
        {(review) => <ReviewItem key={review.id} review={review} />}
      </Rows>
      {data && (
        <div className="row">
          <span className="small muted">{t.count(data.total, 'One review', '{count} reviews')}</span>
          <Paging label={t('Pages of reviews')} number={number} total={data.total} size={PAGE_SIZE} />
        </div>
      )}
    </Section>
  );
}

const MATCHES = [
  { value: '', label: t('In any form') },
  { value: 'exact', label: t('As written') },
] as const;

function Filters() {
  const filter = useFilter();
  return (
    <search className="fields">
      <SearchField label={t('Words of the comment')} />
      <SelectField label={t('Find words')} options={MATCHES} {...filter('match')} />
      <CommonFilters />
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
          {correctedOutput !== null && <Badge>{t('Corrected')}</Badge>}
        </>
      }
    >
      <p className="clamped" dir="auto">
        {comment}
      </p>
      <p className="small muted">
        <bdi>{agentId}</bdi> ·{' '}
        {t.nodes('by {who} on {time}', { who: <bdi>{reviewedBy}</bdi>, time: <Time iso={createdAt} /> })}
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
