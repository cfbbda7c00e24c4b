# One machine that runs everything, a managed PostgreSQL and a bucket. A sketch to start from: it has one machine and no TLS proxy. The state contains
# the passwords, so keep it encrypted.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
    random = {
      source  = "hashicorp/random"
      version = ">= 3.5"
    }
  }
}

provider "aws" {
  region = var.region
}

data "aws_ami" "debian" {
  most_recent = true
  owners      = ["136693071363"]

  filter {
    name   = "name"
    values = ["debian-13-amd64-*"]
  }
}

resource "random_password" "database" {
  length  = 32
  special = false
}

resource "random_password" "secret" {
  length  = 48
  special = false
}

resource "random_password" "operator_token" {
  length  = 32
  special = false
}

# Recordings, which only this machine reads and writes.
resource "aws_s3_bucket" "recordings" {
  bucket_prefix = "${var.name}-recordings-"
}

resource "aws_s3_bucket_public_access_block" "recordings" {
  bucket                  = aws_s3_bucket.recordings.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_security_group" "machine" {
  name_prefix = "${var.name}-machine-"
  vpc_id      = var.vpc_id

  # The TLS proxy in front of the dashboard and the API.
  ingress {
    from_port       = 3000
    to_port         = 3000
    protocol        = "tcp"
    security_groups = var.proxy_security_groups
  }

  # SIP and audio of your trunks.
  dynamic "ingress" {
    for_each = length(var.trunk_ranges) > 0 ? [
      { from = 5060, to = 5061, protocol = "udp" },
      { from = 5060, to = 5061, protocol = "tcp" },
      { from = 16384, to = 32767, protocol = "udp" },
    ] : []
    content {
      from_port   = ingress.value.from
      to_port     = ingress.value.to
      protocol    = ingress.value.protocol
      cidr_blocks = var.trunk_ranges
    }
  }

  egress {
    from_port        = 0
    to_port          = 0
    protocol         = "-1"
    cidr_blocks      = ["0.0.0.0/0"]
    ipv6_cidr_blocks = ["::/0"]
  }
}

resource "aws_security_group" "database" {
  name_prefix = "${var.name}-database-"
  vpc_id      = var.vpc_id

  ingress {
    from_port       = 5432
    to_port         = 5432
    protocol        = "tcp"
    security_groups = [aws_security_group.machine.id]
  }
}

resource "aws_db_subnet_group" "database" {
  name_prefix = "${var.name}-"
  subnet_ids  = var.database_subnet_ids
}

resource "aws_db_instance" "database" {
  identifier_prefix         = "${var.name}-"
  engine                    = "postgres"
  engine_version            = "17"
  instance_class            = var.database_class
  allocated_storage         = 50
  max_allocated_storage     = 500
  storage_encrypted         = true
  multi_az                  = true
  db_name                   = "parley"
  username                  = "parley"
  password                  = random_password.database.result
  db_subnet_group_name      = aws_db_subnet_group.database.name
  vpc_security_group_ids    = [aws_security_group.database.id]
  backup_retention_period   = 14
  deletion_protection       = true
  final_snapshot_identifier = "${var.name}-final"
}

# The settings are read at the first start of the machine.
resource "aws_ssm_parameter" "settings" {
  name  = "/${var.name}/settings"
  type  = "SecureString"
  value = <<-SETTINGS
    DATABASE_URL=postgresql://parley:${random_password.database.result}@${aws_db_instance.database.endpoint}/parley?sslmode=verify-full&sslrootcert=/etc/parley/database-ca.pem
    PARLEY_HOST=0.0.0.0
    PARLEY_OPERATOR_TOKEN=${random_password.operator_token.result}
    PARLEY_PUBLIC_URL=${var.public_url}
    PARLEY_S3_BUCKET=${aws_s3_bucket.recordings.bucket}
    PARLEY_S3_REGION=${var.region}
    PARLEY_SECRET=${random_password.secret.result}
    PARLEY_SIP_PUBLIC_HOST=${aws_eip.machine.public_ip}
    PARLEY_TRUST_PROXY=${join(",", var.proxy_ranges)}
  SETTINGS
}

resource "aws_iam_role" "machine" {
  name_prefix = "${var.name}-"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "ec2.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy" "machine" {
  role = aws_iam_role.machine.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"]
        Resource = "${aws_s3_bucket.recordings.arn}/*"
      },
      {
        Effect   = "Allow"
        Action   = ["s3:ListBucket", "s3:ListBucketMultipartUploads"]
        Resource = aws_s3_bucket.recordings.arn
      },
      {
        Effect   = "Allow"
        Action   = "ssm:GetParameter"
        Resource = aws_ssm_parameter.settings.arn
      },
    ]
  })
}

resource "aws_iam_instance_profile" "machine" {
  name_prefix = "${var.name}-"
  role        = aws_iam_role.machine.name
}

resource "aws_eip" "machine" {
  domain = "vpc"
}

resource "aws_eip_association" "machine" {
  instance_id   = aws_instance.machine.id
  allocation_id = aws_eip.machine.id
}

resource "aws_instance" "machine" {
  ami                         = data.aws_ami.debian.id
  instance_type               = var.machine_type
  subnet_id                   = var.machine_subnet_id
  vpc_security_group_ids      = [aws_security_group.machine.id]
  iam_instance_profile        = aws_iam_instance_profile.machine.name
  user_data_replace_on_change = false
  user_data = templatefile("${path.module}/install.sh.tftpl", {
    archive_url = var.archive_url
    region      = var.region
    settings    = aws_ssm_parameter.settings.name
  })

  # Only with a token, and not through a proxy or a container.
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  root_block_device {
    volume_size = 100
    encrypted   = true
  }

  tags = {
    Name = var.name
  }
}
