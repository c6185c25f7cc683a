import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { Time, ZONE } from '../../ui/time.tsx';
import { ANNOTATIONS, type Annotation, type AnnotationChange } from './annotations.ts';

const AnnotationDialog = lazyDialog(() => import('./dialogs.tsx'));

const STEP = 100;

/** All annotations, newest first. */
export function Annotations() {
  const { can } = useSession();
  const mayWrite = can('metrics:write');
  const [limit, setLimit] = useState(STEP);
  const [change, setChange] = useState<AnnotationChange | null>(null);
  const params = { query: { limit } };
  const query = api.useQuery('get', ANNOTATIONS, { params }, { placeholderData: keepPreviousData });
  const { data, isFetching } = query;
  return (
    <>
      <PageHead title="Annotations">
        {mayWrite && (
          <Button look="primary" icon="add" onClick={() => setChange({ kind: 'add' })}>
            Add annotation
          </Button>
        )}
      </PageHead>
      <div className="stack">
        <p className="muted">
          What happened when, such as a release. Charts and explanations of that time show it. Times in {ZONE}.
        </p>
        <QueryState query={query} what="annotations" height={320} />
        {data && data.annotations.length > 0 && (
          <ItemList label="Annotations">
            {data.annotations.map((annotation) => (
              <AnnotationItem key={annotation.id} annotation={annotation} onChange={mayWrite ? setChange : null} />
            ))}
          </ItemList>
        )}
        {data?.total === 0 && (
          <div className="panel">
            <EmptyState title="No annotations yet">
              <p>Note a release, a campaign or an outage, so that nobody has to guess why a number moved that day.</p>
              {!mayWrite && <p>Your role may look at annotations, not add them.</p>}
            </EmptyState>
          </div>
        )}
        {data && data.total > data.annotations.length && (
          <div className="row">
            <Button disabled={isFetching} onClick={() => setLimit(limit + STEP)}>
              Show older ones
            </Button>
            <span className="small muted">
              {data.annotations.length.toLocaleString()} of {data.total.toLocaleString()}
            </span>
          </div>
        )}
      </div>
      {change && <AnnotationDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

interface AnnotationItemProps {
  annotation: Annotation;
  onChange: ((change: AnnotationChange) => void) | null;
}

function AnnotationItem({ annotation, onChange }: AnnotationItemProps) {
  const { text, at, createdBy } = annotation;
  return (
    <Item
      title={text}
      end={
        onChange && (
          <>
            <IconButton icon="edit" label={`Edit ${text}`} onClick={() => onChange({ kind: 'edit', annotation })} />
            <IconButton
              icon="trash"
              label={`Delete ${text}`}
              onClick={() => onChange({ kind: 'delete', annotation })}
            />
          </>
        )
      }
    >
      <p className="small muted">
        <Time iso={at} /> · added by {createdBy}
      </p>
    </Item>
  );
}
