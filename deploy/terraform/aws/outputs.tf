output "address" {
  description = "The address that carriers see."
  value       = aws_eip.machine.public_ip
}

output "bucket" {
  value = aws_s3_bucket.recordings.bucket
}

output "database" {
  value = aws_db_instance.database.endpoint
}

output "operator_token" {
  description = "Opens /metrics."
  value       = random_password.operator_token.result
  sensitive   = true
}
