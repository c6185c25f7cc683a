import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Segment, segmentsQuery } from '../../api/segments.ts';
import { useSession } from '../../api/session.ts';
import { segmentTitle } from '../../question/words/choices.ts';
import { ButtonLink, classOf, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { conditionInWords } from './words.ts';

const DeleteSegment = lazyDialog(() => import('./delete-segment.tsx'));

const route = getRouteApi('/shell/segments');

/** All segments by name, with their conditions in words. */
export function Segments() {
  const { search } = route.useSearch();
  const setSearch = useSetSearch();
  const { can } = useSession();
  const mayWrite = can('metrics:write');
  const [deleted, setDeleted] = useState<Segment | null>(null);
  const query = useQuery(segmentsQuery(search));
  const { data } = query;
  return (
    <>
      <PageHead title="Segments">
        {mayWrite && (
          <ButtonLink look="primary" icon="add" to="/segments/new-segment">
            New segment
          </ButtonLink>
        )}
      </PageHead>
      <div className="stack">
        {(search !== undefined || data?.total !== 0) && (
          <SearchField label="Search segments" value={search} onSearch={(next) => setSearch({ search: next })} />
        )}
        <QueryState query={query} what="segments" height={320} />
        {data && data.segments.length > 0 && (
          <ItemList label="Segments">
            {data.segments.map((segment) => (
              <SegmentItem key={segment.name} segment={segment} onDelete={mayWrite ? setDeleted : null} />
            ))}
          </ItemList>
        )}
        {data?.total === 0 && <NoSegments search={search} mayWrite={mayWrite} />}
      </div>
      {deleted && <DeleteSegment segment={deleted} onClose={() => setDeleted(null)} />}
    </>
  );
}

interface SegmentItemProps {
  segment: Segment;
  /** Null for users who may not change segments. */
  onDelete: ((segment: Segment) => void) | null;
}

function SegmentItem({ segment, onDelete }: SegmentItemProps) {
  const { name, description, by, conditions } = segment;
  const title = segmentTitle(segment);
  return (
    <Item
      title={title}
      beside={<span className="small muted">by {by}</span>}
      end={
        onDelete && (
          <>
            <Link
              className={classOf({ look: 'quiet' }, true)}
              to="/segments/$name/edit"
              params={{ name }}
              aria-label={`Edit ${title}`}
              title={`Edit ${title}`}
              preload={false}
            >
              <Icon name="edit" />
            </Link>
            <IconButton icon="trash" label={`Delete ${title}`} onClick={() => onDelete(segment)} />
          </>
        )
      }
    >
      {description !== undefined && (
        <p className="prose-text" dir="auto">
          {description}
        </p>
      )}
      <ul className="bullets" aria-label={`Conditions of ${title}`}>
        {conditions.map((condition, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no ids, and two may be equal
          <li key={index}>{conditionInWords(condition)}</li>
        ))}
      </ul>
      {title !== name && (
        <p className="small muted">
          <code>{name}</code>
        </p>
      )}
    </Item>
  );
}

function NoSegments({ search, mayWrite }: { search: string | undefined; mayWrite: boolean }) {
  return (
    <div className="panel">
      {search !== undefined ? (
        <EmptyState title="No segment matches">
          <p>Search for a part of a name or a title.</p>
        </EmptyState>
      ) : (
        <EmptyState title="No segments yet">
          <p>
            A segment is a saved filter over who did what when, such as customers who ordered twice in the last 30 days.
            A question with a segment counts their events alone.
          </p>
          {mayWrite ? (
            <Link to="/segments/new-segment">Create the first one</Link>
          ) : (
            <p>Your role may look at segments, not create them.</p>
          )}
        </EmptyState>
      )}
    </div>
  );
}
