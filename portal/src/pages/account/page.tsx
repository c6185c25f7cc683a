import { useSession } from '../../api/session.ts';
import { Facts } from '../../ui/facts.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Password } from './password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

/** The user's own account. */
export function Account() {
  const { user, tenant } = useSession();
  return (
    <div className="stack narrow">
      <PageHead title="Your account" />
      <section className="panel padded stack" aria-label="User">
        <Facts
          label="User"
          facts={[
            ['Name', user.name],
            ['E-mail', user.email],
            ['Role', user.role],
            ['Tenant', tenant.name],
          ]}
        />
      </section>
      <section className="panel padded stack" aria-labelledby="second-factor">
        <h2 id="second-factor">Second factor</h2>
        <SecondFactor />
      </section>
      <section className="panel padded stack" aria-labelledby="password">
        <h2 id="password">Password</h2>
        <Password email={user.email} />
      </section>
      <section className="panel padded stack" aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <Sessions />
      </section>
    </div>
  );
}
