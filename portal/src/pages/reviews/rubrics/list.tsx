import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Actions, Item, ItemLink, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { type Rubric, rubricsQuery } from '../api.ts';

const RubricDialog = lazyDialog(() => import('./dialog.tsx'));

/** The rubrics by name; each opens the agreement on it. */
export function RubricList() {
  const { can } = useSession();
  const query = useQuery(rubricsQuery);
  const [asked, setAsked] = useState<Rubric | 'new'>();
  const reason = can('reviews:write') ? undefined : t('Your role lets you look at rubrics, not make them.');
  return (
    <section className="stack" aria-labelledby="rubrics">
      <div className="row">
        <h2 id="rubrics">{t('Rubrics')}</h2>
        <Actions
          actions={[
            { label: t('New rubric'), name: t('New rubric'), icon: 'add', reason, onClick: () => setAsked('new') },
          ]}
        />
      </div>
      <QueryState query={query} />
      <Rows
        label={t('Rubrics')}
        rows={query.data}
        none={t('No rubrics yet')}
        next={
          <p>
            {t(
              'A rubric is a set of questions that several people answer about an execution, to see whether they agree.',
            )}
          </p>
        }
      >
        {(rubric) => {
          const { name, title, version, questions } = rubric;
          return (
            <Item
              key={name}
              title={
                <ItemLink to="/reviews/statistics" search={{ rubric: name }}>
                  {title}
                </ItemLink>
              }
              end={
                <Actions
                  actions={[
                    {
                      label: t('Change'),
                      name: t('Change {name}', { name: title }),
                      reason,
                      onClick: () => setAsked(rubric),
                    },
                  ]}
                />
              }
            >
              <p className="small muted">
                <code>{`${name}@${version}`}</code> ·{' '}
                {t.count(questions.length, '{count} question', '{count} questions')}
              </p>
            </Item>
          );
        }}
      </Rows>
      {asked && <RubricDialog rubric={asked === 'new' ? null : asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}
