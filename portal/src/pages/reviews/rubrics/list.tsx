import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
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
  const reason = can('reviews:write') ? undefined : 'Your role lets you look at rubrics, not make them.';
  return (
    <section className="stack" aria-labelledby="rubrics">
      <div className="row">
        <h2 id="rubrics">Rubrics</h2>
        <Actions
          actions={[{ label: 'New rubric', name: 'New rubric', icon: 'add', reason, onClick: () => setAsked('new') }]}
        />
      </div>
      <QueryState query={query} />
      <Rows
        label="Rubrics"
        rows={query.data}
        none="No rubrics yet"
        next={
          <p>
            A rubric is a set of questions that several people answer about an execution, to see whether they agree.
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
                  actions={[{ label: 'Change', name: `Change ${title}`, reason, onClick: () => setAsked(rubric) }]}
                />
              }
            >
              <p className="small muted">
                <code>{`${name}@${version}`}</code> ·{' '}
                {questions.length === 1 ? '1 question' : `${questions.length} questions`}
              </p>
            </Item>
          );
        }}
      </Rows>
      {asked && <RubricDialog rubric={asked === 'new' ? null : asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}
