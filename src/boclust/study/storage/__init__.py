"""Where studies are stored: connections and transactions, tables, schema versions, migrations."""
