variable "name" {
  description = "The beginning of the names of everything."
  type        = string
  default     = "parley"
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "archive_url" {
  description = "Where the machine downloads the archive of a release (parley-VERSION.tar.gz)."
  type        = string
}

variable "public_url" {
  description = "Where people and vendors reach the service, through the TLS proxy."
  type        = string
}

variable "machine_type" {
  description = "Eight cores hold some 120 calls at once with local speech: docs/operations/capacity.md."
  type        = string
  default     = "c7i.2xlarge"
}

variable "database_class" {
  type    = string
  default = "db.m7g.large"
}

variable "vpc_id" {
  type = string
}

variable "machine_subnet_id" {
  description = "A public subnet."
  type        = string
}

variable "database_subnet_ids" {
  description = "Private subnets in two zones or more."
  type        = list(string)
}

variable "proxy_security_groups" {
  description = "The security groups of the TLS proxy, such as a load balancer."
  type        = list(string)
}

variable "proxy_ranges" {
  description = "The addresses of the TLS proxy, whose forwarding headers are trusted."
  type        = list(string)
}

variable "trunk_ranges" {
  description = "The addresses of your SIP carriers. Twilio and Telnyx accounts need none."
  type        = list(string)
  default     = []
}
