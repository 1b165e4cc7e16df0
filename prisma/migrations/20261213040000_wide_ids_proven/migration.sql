-- oldest: 0.2.0
-- from: 0.3.0
-- The deliveries are compared with their notifications while both are read and written.
ALTER TABLE "delivery" VALIDATE CONSTRAINT "delivery_notification_id_fkey";
