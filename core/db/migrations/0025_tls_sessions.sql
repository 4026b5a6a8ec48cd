CREATE TABLE "tls_sessions" (
	"day" date NOT NULL,
	"domain" text NOT NULL,
	"policy_type" text NOT NULL,
	"policy" jsonb NOT NULL,
	"mx_patterns" jsonb NOT NULL,
	"result" text NOT NULL,
	"mx" text NOT NULL,
	"ip" text NOT NULL,
	"our_ip" text NOT NULL,
	"reason" text NOT NULL,
	"sessions" integer NOT NULL,
	CONSTRAINT "tls_sessions_pk" PRIMARY KEY("day","domain","policy_type","result","mx","ip","our_ip","reason")
);
