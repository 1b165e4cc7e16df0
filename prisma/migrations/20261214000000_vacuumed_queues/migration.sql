-- oldest: 0.1.0
-- Each alert, notification and mail leaves the index of what waits within a day, and its dead entry stays before the
-- first that waits, where every look for work reads it, until the table is vacuumed: by the server's own setting after
-- a fifth of a year of notifications.
ALTER TABLE "reminder_alert" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 1);
ALTER TABLE "notification" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 1);
ALTER TABLE "delivery" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 1);
ALTER TABLE "outgoing_mail" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 1);
