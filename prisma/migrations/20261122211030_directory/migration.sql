-- CreateTable
CREATE TABLE "service_type" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "parent_id" INTEGER,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "service_type_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "healthcare_service" (
    "id" SERIAL NOT NULL,
    "external_id" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "type_ids" INTEGER[],
    "address" TEXT NOT NULL DEFAULT '',
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "time_zone" TEXT NOT NULL,
    "hours" JSONB NOT NULL DEFAULT '[]',
    "language_codes" TEXT[],
    "phone" TEXT,
    "email" TEXT,
    "url" TEXT,
    "accessibility" TEXT[],
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "healthcare_service_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "service_type_parent_id_idx" ON "service_type"("parent_id");

-- CreateIndex
CREATE INDEX "service_type_name_key_idx" ON "service_type"("name_key");

-- CreateIndex
CREATE UNIQUE INDEX "healthcare_service_external_id_key" ON "healthcare_service"("external_id");

-- AddForeignKey
ALTER TABLE "service_type" ADD CONSTRAINT "service_type_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "service_type"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- What services are searched by, in rows of a fraction of the size; saveServices writes it. Prisma cannot model it: see
-- prisma/unmanaged.json. The extension cube knows points on a sphere and which are nearest: those of the plane are wrong near the
-- poles and where -180 meets 180.
CREATE EXTENSION IF NOT EXISTS cube;

CREATE TABLE "service_search" (
    "id" INTEGER PRIMARY KEY REFERENCES "healthcare_service"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "position" CUBE, -- on the sphere of radius 1; null without a place
    "words" TSVECTOR NOT NULL, -- of name, description and address, folded
    "type_ids" INTEGER[] NOT NULL, -- with the types above them
    "language_codes" TEXT[] NOT NULL, -- also without their regions
    "accessibility" TEXT[] NOT NULL,
    "time_zone" TEXT COLLATE "C" NOT NULL,
    "open_minutes" INT4MULTIRANGE NOT NULL -- of the week, by the clocks of the zone
);

-- The nearest first.
CREATE INDEX "service_search_position" ON "service_search" USING gist ("position");
-- A search and filters together: one look into the index for all of them. Without a list of pending entries, which every search
-- would have to read through.
CREATE INDEX "service_search_filters" ON "service_search" USING gin ("words", "type_ids", "language_codes", "accessibility")
    WITH (fastupdate = off);
CREATE INDEX "service_search_name" ON "service_search"("name_key", "id");
CREATE INDEX "service_search_time_zone" ON "service_search"("time_zone");
