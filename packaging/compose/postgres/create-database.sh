#!/bin/sh
# At the first start: the role of the nodes, which owns its database and nothing else.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres <<'SQL'
\getenv password DATABASE_PASSWORD
CREATE ROLE agent_runtime LOGIN PASSWORD :'password';
CREATE DATABASE agent_runtime OWNER agent_runtime TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';
REVOKE CONNECT ON DATABASE agent_runtime FROM PUBLIC;
\connect agent_runtime
CREATE EXTENSION vector;
SQL
