import { Link, type LinkProps } from '@tanstack/react-router';
import { basePath } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

interface EntryProps {
  to: LinkProps['to'];
  label: string;
  /** The first page of a group has one. Narrow windows show the others of the open group alone. */
  icon?: IconName;
  /** True if the pages below it have entries of their own. */
  exact?: boolean;
}

function Entry({ to, label, icon, exact = false }: EntryProps) {
  return (
    <Link to={to} className={icon ? undefined : 'nested'} activeOptions={{ exact, includeSearch: false }}>
      {icon && <Icon name={icon} />}
      {label}
    </Link>
  );
}

export function Navigation() {
  const { isAdministrator } = useSession();
  return (
    <nav className="navigation" aria-label="Main">
      <Entry to="/" icon="dashboard" label="Dashboards" exact />
      <div className="navigation-group">
        <Entry to="/metrics" icon="gauge" label="Metrics" />
        <Entry to="/explain" label="Explain" />
        <Entry to="/segments" label="Segments" />
        <Entry to="/terms" label="Glossary" />
        <Entry to="/annotations" label="Annotations" />
        <Entry to="/gaps" label="Gaps" />
      </div>
      <div className="navigation-group">
        <Entry to="/alerts" icon="bell" label="Alerts" />
        <Entry to="/digests" label="Digests" />
      </div>
      <div className="navigation-group">
        <Entry to="/events" icon="events" label="Events" exact />
        <Entry to="/events/query" label="Table" />
        <Entry to="/events/aggregate" label="KPI" />
      </div>
      <div className="navigation-group">
        <Entry to="/connect" icon="plug" label="Connect" />
        <Entry to="/applications" label="Applications" />
      </div>
      {isAdministrator && <Entry to="/single-sign-on" icon="key" label="Single sign-on" />}
      <a href={`${basePath}docs`}>
        <Icon name="code" />
        API reference
      </a>
    </nav>
  );
}
