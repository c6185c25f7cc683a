import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Segment, segmentsQuery } from '../../api/segments.ts';
import { t } from '../../language/index.ts';
import { segmentTitle } from '../../question/words/choices.ts';
import { classOf, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { conditionInWords } from './words.ts';

const DeleteSegment = lazyDialog(() => import('./delete-segment.tsx'));

const route = getRouteApi('/shell/segments');

/** All segments by name, with their conditions in words. */
export function Segments() {
  const { search } = route.useSearch();
  const [deleted, setDeleted] = useState<Segment | null>(null);
  return (
    <>
      <ListPage
        title={t('Segments')}
        noun="segment"
        query={useQuery(segmentsQuery(search))}
        right="metrics:write"
        add="/segments/new-segment"
        searchHelp={t('Search for a part of a name or a title.')}
        purpose={t(
          'A segment is a saved filter over who did what when, such as customers who ordered twice in the last 30 days. A question with a segment counts their events alone.',
        )}
      >
        {({ segments }, mayWrite) => (
          <ItemList label={t('Segments')}>
            {segments.map((segment) => (
              <SegmentItem key={segment.name} segment={segment} onDelete={mayWrite ? setDeleted : null} />
            ))}
          </ItemList>
        )}
      </ListPage>
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
      beside={<span className="small muted">{t('by {property}', { property: by })}</span>}
      end={
        onDelete && (
          <>
            <Link
              className={classOf({ look: 'quiet' }, true)}
              to="/segments/$name/edit"
              params={{ name }}
              aria-label={t('Edit {title}', { title })}
              title={t('Edit {title}', { title })}
              preload={false}
            >
              <Icon name="edit" />
            </Link>
            <IconButton icon="trash" label={t('Delete {title}', { title })} onClick={() => onDelete(segment)} />
          </>
        )
      }
    >
      {description !== undefined && (
        <p className="prose-text" dir="auto">
          {description}
        </p>
      )}
      <ul className="bullets" aria-label={t('Conditions of {title}', { title })}>
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
