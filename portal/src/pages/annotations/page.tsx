import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Time, ZONE } from '../../ui/time.tsx';
import { ANNOTATIONS, type Annotation, type AnnotationChange } from './annotations.ts';

const AnnotationDialog = lazyDialog(() => import('./dialogs.tsx'));

const STEP = 100;

/** All annotations, newest first. */
export function Annotations() {
  const [limit, setLimit] = useState(STEP);
  const [change, setChange] = useState<AnnotationChange | null>(null);
  const params = { query: { limit } };
  const query = api.useQuery('get', ANNOTATIONS, { params }, { placeholderData: keepPreviousData });
  return (
    <>
      <ListPage
        title={t('Annotations')}
        noun="annotation"
        query={query}
        right="metrics:write"
        add={() => setChange({ kind: 'add' })}
        intro={t(
          'What happened when, such as a release. Charts and explanations of that time show it. Times in {zone}.',
          { zone: ZONE },
        )}
        purpose={t('Note a release, a campaign or an outage, so that nobody has to guess why a number moved that day.')}
      >
        {({ annotations, total }, mayWrite) => (
          <>
            <ItemList label={t('Annotations')}>
              {annotations.map((annotation) => (
                <AnnotationItem key={annotation.id} annotation={annotation} onChange={mayWrite ? setChange : null} />
              ))}
            </ItemList>
            {total > annotations.length && (
              <div className="row">
                <Button disabled={query.isFetching} onClick={() => setLimit(limit + STEP)}>
                  {t('Show older ones')}
                </Button>
                <span className="small muted">{t('{count} of {total}', { count: annotations.length, total })}</span>
              </div>
            )}
          </>
        )}
      </ListPage>
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
            <IconButton
              icon="edit"
              label={t('Edit {title}', { title: text })}
              onClick={() => onChange({ kind: 'edit', annotation })}
            />
            <IconButton
              icon="trash"
              label={t('Delete {title}', { title: text })}
              onClick={() => onChange({ kind: 'delete', annotation })}
            />
          </>
        )
      }
    >
      <p className="small muted">
        <Time iso={at} /> · {t('added by {user}', { user: createdBy })}
      </p>
    </Item>
  );
}
